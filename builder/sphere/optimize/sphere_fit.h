// SPDX-License-Identifier: GPL-3.0-or-later
// As many spheres as wanted that hold the surface together, with little volume outside the solid and none
// that sticks out far: the default method.
#pragma once

#include <cstdint>
#include <vector>

#include "builder/base/progress.h"
#include "builder/sphere/optimize/search_frame.h"
#include "builder/sphere/optimize/search_sphere.h"
#include "builder/surface/inside_test.h"
#include "builder/surface/surface_pieces.h"
#include "builder/surface/surface_query.h"
#include "builder/surface/triangle_boxes.h"

namespace espalier {

/// What spheres are fitted to; borrowed.
struct FitSurface {
    const TriangleMesh& mesh;
    const InsideTest& inside;
    const SurfaceQuery& query;
    const TriangleBoxes& boxes;
    double area = 0.0;
    double extent = 0.0;  ///< from corner to corner
    double slack = 0.0;   ///< see coverage_slack
    SearchFrame frame;    ///< of the mesh
};

struct FitOptions {
    std::size_t count = 8;            ///< most spheres
    std::uint32_t most_children = 8;  ///< of one parent
    std::uint32_t starts = 1;         ///< sets that are begun differently, of which the best goes on
    double max_protrusion = 0.0;      ///< no sphere sticks out farther
    double proposals = 32.0;          ///< random changes for each sphere
    bool cover = true;            ///< or hold patches by a share of their size, and leave gaps between them
    double smallest_piece = 0.0;  ///< pieces are not split below this length
};

/// Spheres that hold points of the surface, each of them in a sphere and in the ancestors of its parent; what
/// is between them is for cover_level, which may make parents grow. Parents may be left without a sphere.
/// Preconditions: `start` covers the surface in the same sense, with spheres inside their parents' ancestors;
/// there is at least one parent, whose ancestors may be empty; not more of `start` than `count`.
std::vector<CandidateSphere> fit_spheres(const FitSurface& surface, std::vector<Ancestors>& parents,
                                         std::vector<CandidateSphere> start, const FitOptions& options,
                                         Progress& progress);

}  // namespace espalier
