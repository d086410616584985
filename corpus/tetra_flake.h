// SPDX-License-Identifier: GPL-3.0-or-later
// Tetra-flake: "a tetrahedron which has small tetrahedra placed recursively on its sides" (Zachmann 1997,
// "Results").
#pragma once

#include "corpus/shape.h"

namespace espalier::corpus {

/// The defaults give 3,876 triangles.
struct TetraFlakeOptions {
    double radius = 1.0;  ///< of the first tetrahedron's circumscribed sphere
    double ratio = 0.45;  ///< size of a tetrahedron to that of the one it stands on; up to 0.45 nothing meets
    std::uint32_t levels = 5;
};

/// A closed manifold of genus 0 with 16 * 3^levels - 12 triangles: every tetrahedron's free sides carry one
/// of the next level in their middle, and the frame around its foot is cut into six triangles.
TriangleMesh make_tetra_flake(const TetraFlakeOptions& options = {});

}  // namespace espalier::corpus
