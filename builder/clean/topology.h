// SPDX-License-Identifier: GPL-3.0-or-later
// Facts about how the triangles of a mesh hang together.
#pragma once

#include <cstdint>

#include "builder/surface/triangle_mesh.h"

namespace espalier {

/// How the triangles of a mesh hang together.
struct Topology {
    std::uint64_t edges = 0;                ///< number of edges
    std::uint64_t boundary_edges = 0;       ///< one triangle
    std::uint64_t non_manifold_edges = 0;   ///< more than two triangles
    std::uint64_t inconsistent_edges = 0;   ///< two triangles that walk it in the same direction
    std::uint64_t components = 0;           ///< sets of triangles connected by shared vertices
    std::int64_t euler_characteristic = 0;  ///< vertices - edges + triangles
    double signed_volume = 0;               ///< by the divergence theorem; meaningful if closed
    bool edge_manifold = false;             ///< no edge with more than two triangles
    bool oriented = false;                  ///< no inconsistent edge
    bool closed = false;      ///< every edge has two triangles that walk it in opposite directions
    bool balanced = false;    ///< every edge is walked equally often both ways: bounds a volume
    bool inside_out = false;  ///< closed, and the volume is negative
};

/// Analyses a mesh. Precondition: indices in range, three distinct corners a triangle.
/// Takes O(n log n); the result does not depend on the number of threads.
Topology analyse_topology(const TriangleMesh& mesh);

}  // namespace espalier
