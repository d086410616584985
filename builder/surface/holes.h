// SPDX-License-Identifier: GPL-3.0-or-later
// The holes of a surface and what fills them.
#pragma once

#include <cstdint>
#include <vector>

#include "builder/surface/triangle_mesh.h"

namespace espalier {

/// A closed loop of edges that are used more often in one direction than in the other: the vertices in the
/// order in which a filling has to use them. No vertex comes twice.
using Hole = std::vector<std::uint32_t>;

/// All of them, the same for any order of the triangles of one edge. None: the surface bounds a solid.
std::vector<Hole> holes_of(const TriangleMesh& mesh);

/// The length of a hole's boundary.
double boundary_length(const TriangleMesh& mesh, const Hole& hole);

/// Triangles that close a surface.
struct Caps {
    TriangleMesh closed;   ///< the surface's triangles first, with the same vertices, then the caps
    double area = 0.0;     ///< of the caps
    double filling = 0.0;  ///< no point of a cap is farther than this from the surface
};

/// Fills each hole by a fan around the middle of its vertices.
Caps fill_holes(const TriangleMesh& mesh, const std::vector<Hole>& holes);

}  // namespace espalier
