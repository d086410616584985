// SPDX-License-Identifier: GPL-3.0-or-later
// Cylinder with flat ends: Zachmann 1997, section "Results".
#pragma once

#include "corpus/shape.h"

namespace espalier::corpus {

/// The defaults give 2,000 triangles.
struct CylinderOptions {
    double radius = 0.5;
    double height = 2.0;
    std::uint32_t segments = 40;      ///< around the axis
    std::uint32_t height_bands = 18;  ///< along the side
    std::uint32_t cap_bands = 4;      ///< from the rim to the centre of each end
};

/// A closed manifold of genus 0 about the z axis, centred at the origin, with
/// 2 * segments * (height_bands + 2 * cap_bands - 1) triangles. Needs at least 3 segments and 1 band of each
/// kind.
TriangleMesh make_cylinder(const CylinderOptions& options = {});

}  // namespace espalier::corpus
