// SPDX-License-Identifier: GPL-3.0-or-later
// Spur gear with a bore: flat faces, sharp edges and concavities that mesh with a copy's.
#pragma once

#include "corpus/shape.h"

namespace espalier::corpus {

/// The defaults give 3,840 triangles.
struct GearOptions {
    double tip_radius = 1.0;
    double root_radius = 0.8;  ///< below tip_radius
    double bore_radius = 0.3;  ///< below root_radius
    double width = 0.4;        ///< along the z axis
    std::uint32_t teeth = 24;
    std::uint32_t side_bands = 4;  ///< across the width
    std::uint32_t face_bands = 6;  ///< from the bore to the teeth on each flat side
};

/// The surface of a gear about the z axis, centred at the origin, for use in an assembly.
Shape gear_shape(const GearOptions& options = {});

/// A closed manifold of genus 1 with 16 * teeth * (side_bands + face_bands) triangles. Teeth are trapezia:
/// from root to tip the tooth's share of the pitch falls from 3/4 to 3/8. Needs at least 3 teeth and 1 band
/// of each kind.
TriangleMesh make_gear(const GearOptions& options = {});

}  // namespace espalier::corpus
