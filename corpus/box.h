// SPDX-License-Identifier: GPL-3.0-or-later
// Box with subdivided sides.
#pragma once

#include "corpus/shape.h"

namespace espalier::corpus {

/// The defaults give the cube [-1, 1]^3 with 12 triangles.
struct BoxOptions {
    Eigen::Vector3d half_size = Eigen::Vector3d::Ones();
    std::uint32_t divisions = 1;  ///< of every edge
};

/// The surface of a box centred at the origin, for use in an assembly.
Shape box_shape(const BoxOptions& options = {});

/// A closed manifold of genus 0 with 12 * divisions^2 triangles. Needs at least 1 division.
TriangleMesh make_box(const BoxOptions& options = {});

}  // namespace espalier::corpus
