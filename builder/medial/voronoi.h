// SPDX-License-Identifier: GPL-3.0-or-later
// The Voronoi diagram of points as plain arrays, from CGAL's Delaunay triangulation.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <vector>

namespace espalier {

/// One Delaunay tetrahedron and its dual Voronoi vertex.
struct VoronoiVertex {
    Eigen::Vector3d center;                 ///< circumcentre, exact but for one rounding where need be
    double radius = 0.0;                    ///< distance to the forming points
    std::array<std::uint32_t, 4> forming;   ///< points, sorted
    std::array<std::int32_t, 4> neighbour;  ///< vertices across the four Voronoi edges; -1: the edge is
                                            ///< unbounded, or ends where no number reaches
};

/// All finite Voronoi vertices, each equally far from its forming points and not less far from any other
/// point (up to 1e-8 of the radius), in an order that depends on the points alone. Points that coincide with
/// an earlier one are left out. Fewer than four points, or points in a plane, give none.
std::vector<VoronoiVertex> voronoi_vertices(const std::vector<Eigen::Vector3d>& points);

}  // namespace espalier
