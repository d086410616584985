// SPDX-License-Identifier: GPL-3.0-or-later
// Polygons, also concave ones, to triangles.
#pragma once

#include <cstdint>
#include <vector>

#include "builder/import/polygon_soup.h"
#include "builder/surface/triangle_mesh.h"

namespace espalier {

struct Triangulation {
    std::vector<Triangle> triangles;      ///< in the order of the polygons, oriented like them
    std::size_t degenerate_polygons = 0;  ///< fewer than three distinct corners: no triangle
    std::size_t crossing_polygons =
        0;  ///< self-crossing as seen along their normal: split as a fan from corner 0
};

/// Splits every polygon of `soup` into triangles over its own points: no point is added, none is moved. A
/// polygon may be concave, slightly bent, have collinear or repeated corners, and holes joined to its outline
/// by an edge that is walked both ways. Corners that lie on an edge are kept, so that neighbours still meet
/// edge to edge. Fan-shaped polygons are split from corner 0; others by a constrained Delaunay triangulation
/// of their projection along the largest axis of their (Newell) normal, with exact predicates. The result
/// depends on nothing but the input. Preconditions: indices in range; coordinates finite and below 1e100.
Triangulation triangulate(const PolygonSoup& soup);

}  // namespace espalier
