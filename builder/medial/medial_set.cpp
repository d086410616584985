// SPDX-License-Identifier: GPL-3.0-or-later
// From surface samples to medial spheres with adjacency (Hubbard 1996, section 5.1).
#include "builder/medial/medial_set.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "builder/base/disjoint_sets.h"
#include "builder/medial/medial_repair.h"
#include "builder/medial/voronoi.h"
#include "builder/surface/surface_query.h"

namespace espalier {
namespace {

using Eigen::Vector3d;

/// Voronoi vertices closer than this, in units of their radius, are one. Smaller, and rounding keeps vertices
/// apart that are one (of a box's corners, say); larger, and thin features lose medial spheres.
constexpr double kCoincident = 1e-5;
/// Samples within this distance of a sample without medial sphere are its neighbours, in sample spacings.
/// Smaller, and it has none; larger, and it is adjacent to what lies across a gap.
constexpr double kOrphanNeighbours = 3.0;

std::vector<Vector3d> points_of(const std::vector<SurfaceSample>& samples) {
    std::vector<Vector3d> points;
    points.reserve(samples.size());
    for (const SurfaceSample& s : samples) points.push_back(s.point);
    return points;
}

std::vector<std::uint8_t> inside_marks(const InsideTest& inside, const std::vector<VoronoiVertex>& vertices) {
    std::vector<std::uint8_t> marks(vertices.size());
    tbb::parallel_for(std::size_t(0), vertices.size(), [&](std::size_t i) {
        marks[i] = vertices[i].center.allFinite() && inside.inside(vertices[i].center);
    });
    return marks;
}

/// Merges chains of coincident neighbours. All tetrahedra of one empty sphere are connected through faces, so
/// looking at neighbours is enough.
std::vector<std::uint32_t> coincidence_groups(const std::vector<VoronoiVertex>& vertices,
                                              const std::vector<std::uint8_t>& marks) {
    DisjointSets sets(vertices.size());
    for (std::uint32_t i = 0; i < vertices.size(); ++i) {
        for (const std::int32_t n : vertices[i].neighbour) {
            if (n < 0 || !marks[i] || !marks[static_cast<std::size_t>(n)]) continue;
            const auto j = static_cast<std::uint32_t>(n);
            if ((vertices[i].center - vertices[j].center).norm() <= kCoincident * vertices[i].radius)
                sets.join(i, j);
        }
    }
    std::vector<std::uint32_t> group(vertices.size());
    for (std::uint32_t i = 0; i < vertices.size(); ++i) group[i] = sets.root(i);
    return group;
}

void collect_balls(MedialSet& set, const std::vector<VoronoiVertex>& vertices,
                   const std::vector<std::uint8_t>& marks) {
    const std::vector<std::uint32_t> group = coincidence_groups(vertices, marks);
    std::vector<std::uint32_t> ball_of(vertices.size(), 0);
    for (std::uint32_t i = 0; i < vertices.size(); ++i) {
        if (!marks[i]) continue;
        if (group[i] == i) {
            ball_of[i] = static_cast<std::uint32_t>(set.balls.size());
            set.balls.push_back({vertices[i].center, vertices[i].radius, {}});
        }
        ball_of[i] = ball_of[group[i]];
        auto& forming = set.balls[ball_of[i]].forming;
        forming.insert(forming.end(), vertices[i].forming.begin(), vertices[i].forming.end());
    }
    for (MedialBall& ball : set.balls) {
        std::sort(ball.forming.begin(), ball.forming.end());
        ball.forming.erase(std::unique(ball.forming.begin(), ball.forming.end()), ball.forming.end());
    }
    for (std::uint32_t i = 0; i < vertices.size(); ++i) {
        for (const std::int32_t n : vertices[i].neighbour) {
            if (n < 0 || !marks[i] || !marks[static_cast<std::size_t>(n)]) continue;
            const std::uint32_t a = ball_of[i];
            const std::uint32_t b = ball_of[static_cast<std::size_t>(n)];
            if (a < b) set.adjacent.emplace_back(a, b);
        }
    }
}

/// A sample that forms no medial sphere (a sheet without inside, a part too thin for the sampling) gets a
/// sphere of its own, adjacent to those of its nearest neighbours, so that no part of the surface is
/// forgotten.
void add_orphans(MedialSet& set, const std::vector<VoronoiVertex>& vertices, double spacing) {
    std::vector<std::int64_t> ball_of(set.samples.size(), -1);
    for (std::size_t b = 0; b < set.balls.size(); ++b) {
        for (const std::uint32_t s : set.balls[b].forming)
            if (ball_of[s] < 0) ball_of[s] = static_cast<std::int64_t>(b);
    }
    std::vector<std::uint8_t> orphan(set.samples.size(), 0);
    for (std::uint32_t s = 0; s < set.samples.size(); ++s) {
        if (ball_of[s] < 0) {
            orphan[s] = 1;
            ball_of[s] = static_cast<std::int64_t>(set.balls.size());
            set.balls.push_back({set.samples[s].point, spacing, {s}});
        }
    }
    for (const VoronoiVertex& v : vertices) {
        for (const std::uint32_t s : v.forming) {
            for (const std::uint32_t o : v.forming) {
                const bool near =
                    (set.samples[s].point - set.samples[o].point).norm() < kOrphanNeighbours * spacing;
                if (orphan[s] && s != o && near) {
                    const auto a = static_cast<std::uint32_t>(ball_of[s]);
                    const auto b = static_cast<std::uint32_t>(ball_of[o]);
                    set.adjacent.emplace_back(std::min(a, b), std::max(a, b));
                }
            }
        }
    }
}

}  // namespace

Result<MedialSet> compute_medial_set(const InsideTest& inside, const SurfaceQuery& query,
                                     const MedialOptions& options, Progress& progress) {
    const TriangleMesh& mesh = inside.oriented();
    progress.begin_stage("medial axis", options.max_repair_rounds + 2);
    MedialSet set;
    SampleOptions sampling;
    sampling.count = options.samples;
    sampling.seed = options.seed;
    set.samples = sample_surface(mesh, sampling);
    progress.advance();
    const TriangleNeighbours neighbours(mesh);
    std::vector<VoronoiVertex> vertices = voronoi_vertices(points_of(set.samples));
    // Each round may add a tenth of the samples: a mesh that needs more has parts thinner than they can show.
    for (set.aliased = true; set.repair_rounds < options.max_repair_rounds && !progress.cancelled();) {
        const auto added =
            aliasing_samples(mesh, query, neighbours, set.samples, vertices, 100 + options.samples / 10);
        if (added.empty()) {
            set.aliased = false;
            break;
        }
        set.samples.insert(set.samples.end(), added.begin(), added.end());
        set.repair_samples += static_cast<std::uint32_t>(added.size());
        ++set.repair_rounds;
        vertices = voronoi_vertices(points_of(set.samples));
        progress.advance();
    }
    if (options.refine_samples > 0) {
        const auto added =
            bulge_samples(mesh, query, vertices, inside_marks(inside, vertices), options.refine_samples);
        set.samples.insert(set.samples.end(), added.begin(), added.end());
        vertices = voronoi_vertices(points_of(set.samples));
    }
    if (progress.cancelled()) return Error{ErrorKind::kInternal, "medial axis: stopped"};
    collect_balls(set, vertices, inside_marks(inside, vertices));
    add_orphans(set, vertices, sample_spacing(surface_area(mesh), options.samples));
    std::sort(set.adjacent.begin(), set.adjacent.end());
    set.adjacent.erase(std::unique(set.adjacent.begin(), set.adjacent.end()), set.adjacent.end());
    progress.advance();
    return set;
}

Result<MedialSet> compute_medial_set(const TriangleMesh& mesh, const MedialOptions& options,
                                     Progress& progress) {
    const InsideTest inside(mesh);
    const SurfaceQuery query(inside.oriented());
    return compute_medial_set(inside, query, options, progress);
}

}  // namespace espalier
