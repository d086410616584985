// SPDX-License-Identifier: GPL-3.0-or-later
// Solid between the two ends of a hyperboloid of one sheet: Zachmann 1997, figure 6.
#pragma once

#include "corpus/shape.h"

namespace espalier::corpus {

/// The defaults give 5,000 triangles.
struct HyperboloidOptions {
    double waist_radius = 0.25;
    double end_radius = 1.0;  ///< above waist_radius
    double height = 2.0;
    std::uint32_t segments = 50;      ///< around the axis
    std::uint32_t height_bands = 43;  ///< along the side
    std::uint32_t cap_bands = 4;      ///< from the rim to the centre of each end
};

/// A closed manifold of genus 0 about the z axis, centred at the origin, with
/// 2 * segments * (height_bands + 2 * cap_bands - 1) triangles. Needs at least 3 segments and 1 band of each
/// kind.
TriangleMesh make_hyperboloid(const HyperboloidOptions& options = {});

}  // namespace espalier::corpus
