// SPDX-License-Identifier: GPL-3.0-or-later
// From surface samples to medial spheres with adjacency (Hubbard 1996, "Building medial-axis
// surfaces").
#include "builder/medial/medial_set.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "builder/medial/medial_repair.h"
#include "builder/medial/voronoi.h"
#include "builder/surface/surface_query.h"
#include "builder/surface/triangle_normal.h"

namespace espalier {
namespace {

using Eigen::Vector3d;

/// Voronoi vertices closer than this, in units of their radius, are one. Smaller, and rounding keeps vertices
/// apart that are one (of a box's corners, say); larger, and thin features lose medial spheres.
constexpr double kCoincident = 1e-6;
/// Samples within this distance of a sample without medial sphere are its neighbours, in sample spacings.
/// Smaller, and it has none; larger, and it is adjacent to what lies across a gap.
constexpr double kOrphanNeighbours = 3.0;

std::vector<std::uint8_t> inside_marks(const Solid& solid, const std::vector<VoronoiVertex>& vertices) {
    std::vector<std::uint8_t> marks(vertices.size());
    tbb::parallel_for(std::size_t(0), vertices.size(), [&](std::size_t i) {
        marks[i] = vertices[i].center.allFinite() && solid.inside(vertices[i].center);
    });
    return marks;
}

/// For each vertex the first one that it coincides with, perhaps itself. All tetrahedra of one empty sphere
/// are connected through faces, so looking at neighbours of neighbours is enough; but none joins that is
/// farther from the first one, since the forming points of all have to lie on its sphere.
std::vector<std::uint32_t> coincidence_groups(const std::vector<VoronoiVertex>& vertices,
                                              const std::vector<std::uint8_t>& marks) {
    std::vector<std::uint32_t> group(vertices.size());
    std::iota(group.begin(), group.end(), 0u);
    std::vector<std::uint8_t> seen(vertices.size(), 0);
    std::vector<std::uint32_t> open;
    for (std::uint32_t first = 0; first < vertices.size(); ++first) {
        if (seen[first] || !marks[first]) continue;
        seen[first] = 1;
        open.assign(1, first);
        for (std::size_t next = 0; next < open.size(); ++next) {
            for (const std::int32_t n : vertices[open[next]].neighbour) {
                const auto i = static_cast<std::uint32_t>(n);
                if (n < 0 || seen[i] || !marks[i]) continue;
                const double apart = (vertices[i].center - vertices[first].center).norm();
                if (apart > kCoincident * vertices[first].radius) continue;
                seen[i] = 1;
                group[i] = first;
                open.push_back(i);
            }
        }
    }
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

/// The first of those at one place: the diagram has one cell for them all.
std::vector<SurfaceSample> without_doubles(const std::vector<SurfaceSample>& samples) {
    std::vector<std::uint32_t> order(samples.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const Vector3d& p = samples[a].point;
        const Vector3d& q = samples[b].point;
        return p == q ? a < b : std::lexicographical_compare(p.data(), p.data() + 3, q.data(), q.data() + 3);
    });
    std::vector<std::uint8_t> first(samples.size(), 1);
    for (std::size_t i = 1; i < order.size(); ++i)
        first[order[i]] = samples[order[i]].point != samples[order[i - 1]].point;
    std::vector<SurfaceSample> kept;
    for (std::size_t i = 0; i < samples.size(); ++i)
        if (first[i]) kept.push_back(samples[i]);
    return kept;
}

/// The diagram of the samples and of those that are added to them until nothing is bridged that can be told
/// apart.
std::vector<VoronoiVertex> repaired_diagram(const TriangleMesh& mesh, const SurfaceQuery& query,
                                            const MedialOptions& options, double spacing, MedialSet& set,
                                            Progress& progress) {
    GapSearch search(mesh, query, spacing);
    std::vector<VoronoiVertex> vertices = voronoi_vertices(sample_points(set.samples));
    const auto most = static_cast<std::size_t>(options.most_repair_samples * options.samples);
    while (!progress.cancelled()) {
        const std::size_t allowed =
            set.repair_rounds < options.max_repair_rounds ? most - set.repair_samples : 0;
        const RepairRound round = search.next(set.samples, vertices, allowed);
        set.overlaps = round.too_close;
        set.aliased = !round.complete;
        if (round.missing.empty()) break;
        set.samples.insert(set.samples.end(), round.missing.begin(), round.missing.end());
        set.repair_samples += static_cast<std::uint32_t>(round.missing.size());
        ++set.repair_rounds;
        vertices = voronoi_vertices(sample_points(set.samples));
    }
    progress.advance();
    return vertices;
}

}  // namespace

std::vector<Vector3d> sample_points(const std::vector<SurfaceSample>& samples) {
    std::vector<Vector3d> points;
    points.reserve(samples.size());
    for (const SurfaceSample& s : samples) points.push_back(s.point);
    return points;
}

Result<MedialSet> compute_medial_set(const Solid& solid, const SurfaceQuery& query,
                                     const MedialOptions& options, Progress& progress) {
    const TriangleMesh& mesh = solid.boundary();
    progress.begin_stage("medial axis", 3);
    MedialSet set;
    SampleOptions sampling;
    sampling.count = options.samples;
    sampling.seed = options.seed;
    set.samples = without_doubles(sample_surface(mesh, sampling));
    if (set.samples.empty()) set.samples.push_back({mesh.corner(0, 0), normal_of(mesh, 0), 0});
    progress.advance();
    const double spacing = sample_spacing(surface_area(mesh), options.samples);
    const std::vector<VoronoiVertex> vertices =
        repaired_diagram(mesh, query, options, spacing, set, progress);
    if (progress.cancelled()) return Error{ErrorKind::kInternal, "medial axis: stopped"};
    collect_balls(set, vertices, inside_marks(solid, vertices));
    set.inner_vertices = static_cast<std::uint32_t>(set.balls.size());
    add_orphans(set, vertices, spacing);
    std::sort(set.adjacent.begin(), set.adjacent.end());
    set.adjacent.erase(std::unique(set.adjacent.begin(), set.adjacent.end()), set.adjacent.end());
    progress.advance();
    return set;
}

Result<MedialSet> compute_medial_set(const TriangleMesh& mesh, const MedialOptions& options,
                                     Progress& progress) {
    const Solid solid(mesh);
    const SurfaceQuery query(solid.boundary());
    return compute_medial_set(solid, query, options, progress);
}

}  // namespace espalier
