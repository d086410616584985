// SPDX-License-Identifier: GPL-3.0-or-later
// The default method: a number of spheres that cover the surface together, with little volume outside the
// solid and none that protrudes far.
#pragma once

#include <cstdint>
#include <vector>

#include "builder/base/progress.h"
#include "builder/sphere/coverage/siblings.h"
#include "builder/sphere/optimize/search_frame.h"
#include "builder/sphere/optimize/search_sphere.h"
#include "builder/surface/solid.h"
#include "builder/surface/surface_pieces.h"
#include "builder/surface/surface_query.h"
#include "builder/surface/triangle_boxes.h"

namespace espalier {

/// What spheres are fitted to; borrowed.
struct FitSurface {
    const TriangleMesh& mesh;
    const Solid& solid;
    const SurfaceQuery& query;
    const TriangleBoxes& boxes;
    double area = 0.0;
    double extent = 0.0;  ///< from corner to corner
    double slack = 0.0;   ///< see coverage_slack
    double gap = 0.0;     ///< candidates are as large as what they cover: spheres are smaller by this
    SearchFrame frame;    ///< of the mesh
};

struct FitOptions {
    std::size_t count = 8;            ///< most spheres
    std::size_t tried = 0;            ///< this number was no better than the start: more are begun with
    std::uint32_t most_children = 8;  ///< of one parent
    std::uint32_t starts = 1;         ///< sets that are begun differently, of which the best goes on
    std::size_t growth = 8;           ///< of the number of spheres from one stage to the next, at most
    std::size_t rounds = 5;           ///< of annealing, at least one
    double detail = 1.0;              ///< share of the usual patches and samples
    double steps = 1.0;               ///< share of the usual steps of descents
    double max_protrusion = 0.0;      ///< of a sphere, in units of the mesh
    double proposals = 32.0;          ///< random changes for each sphere
    bool cover = true;                ///< or cover a share of each patch, and leave gaps between them
    double smallest_piece = 0.0;      ///< pieces are not split below this length
};

/// Spheres that cover samples of the surface, each of which is in a sphere and in the ancestors of its
/// parent; what is between them is for cover_level, which may make parents grow. Parents may be left without
/// a sphere. Spheres are in the coordinates of `surface.frame`. Preconditions: `start` covers the surface in
/// the same sense, with spheres inside their parents' ancestors; there is at least one parent, whose
/// ancestors may be empty; not more of `start` than `count`.
std::vector<CandidateSphere> fit_spheres(const FitSurface& surface, std::vector<Ancestors>& parents,
                                         std::vector<CandidateSphere> start, const FitOptions& options,
                                         Progress& progress);

}  // namespace espalier
