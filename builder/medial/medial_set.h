// SPDX-License-Identifier: GPL-3.0-or-later
// The medial axis as a set of spheres: Voronoi vertices of surface samples inside the solid (Hubbard 1996,
// section 5.1).
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <utility>
#include <vector>

#include "builder/base/progress.h"
#include "builder/base/result.h"
#include "builder/surface/inside_test.h"
#include "builder/surface/surface_samples.h"

namespace espalier {

class SurfaceQuery;

/// A Voronoi vertex inside the solid, or, where a sample has none (thin sheets), a small sphere at the
/// sample.
struct MedialBall {
    Eigen::Vector3d center;
    double radius = 0.0;
    std::vector<std::uint32_t> forming;  ///< indices of samples, sorted; the radius is the distance to them
};

struct MedialSet {
    std::vector<SurfaceSample> samples;
    std::vector<MedialBall> balls;
    /// Pairs (a < b, sorted) whose Voronoi vertices share a Voronoi edge.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> adjacent;
    std::uint32_t repair_rounds = 0;   ///< rounds in which samples were added against aliasing
    std::uint32_t repair_samples = 0;  ///< samples added by them
    bool aliased = false;              ///< the bound on rounds was hit before the last one found nothing
};

struct MedialOptions {
    std::uint32_t samples = 5000;
    std::uint32_t max_repair_rounds = 4;
    std::uint32_t refine_samples =
        0;  ///< added where spheres bulge most, see bulge_samples in medial_repair.h
    std::uint64_t seed = 1;
};

/// Samples the surface, repairs aliasing, and collects the medial spheres. Fails only if cancelled.
Result<MedialSet> compute_medial_set(const InsideTest& inside, const SurfaceQuery& query,
                                     const MedialOptions& options, Progress& progress);

/// The same for a mesh as `sanitize` returns it.
Result<MedialSet> compute_medial_set(const TriangleMesh& mesh, const MedialOptions& options,
                                     Progress& progress);

}  // namespace espalier
