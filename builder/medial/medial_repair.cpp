// SPDX-License-Identifier: GPL-3.0-or-later
// Aliasing and bulges of a sampled medial axis.
#include "builder/medial/medial_repair.h"

#include <tbb/parallel_for.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "builder/surface/surface_pieces.h"
#include "builder/surface/surface_query.h"
#include "builder/surface/triangle_normal.h"

namespace espalier {

using Eigen::Vector3d;

namespace {

/// In distances of a crossing from the samples around it: within this ball, triangles must connect them.
/// Larger, and gaps are bridged unseen; at 1 or below, rounding cuts the samples off.
constexpr double kConnectingBall = 1.01;

}  // namespace

TriangleNeighbours::TriangleNeighbours(const TriangleMesh& mesh)
    : mesh_(mesh), first_(mesh.positions.size() + 1, 0) {
    for (const Triangle& t : mesh.triangles)
        for (const std::uint32_t v : t) ++first_[v + 1];
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    around_.resize(mesh.triangles.size() * 3);
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
        for (const std::uint32_t v : mesh.triangles[t]) around_[next[v]++] = t;
}

bool TriangleNeighbours::connected_in_ball(std::uint32_t from, std::uint32_t to, const Vector3d& center,
                                           double radius) const {
    std::vector<std::uint32_t> open(1, from);
    std::unordered_set<std::uint32_t> seen = {from};
    for (std::size_t next = 0; next < open.size(); ++next) {
        if (open[next] == to) return true;
        for (const std::uint32_t v : mesh_.triangles[open[next]]) {
            for (std::uint32_t i = first_[v]; i < first_[v + 1]; ++i) {
                const std::uint32_t t = around_[i];
                if (!seen.insert(t).second) continue;
                const Vector3d nearest = closest_point_on_triangle(center, mesh_.corner(t, 0),
                                                                   mesh_.corner(t, 1), mesh_.corner(t, 2));
                if ((nearest - center).squaredNorm() <= radius * radius) open.push_back(t);
            }
        }
    }
    return false;
}

std::vector<SurfaceSample> aliasing_samples(const TriangleMesh& mesh, const SurfaceQuery& query,
                                            const TriangleNeighbours& neighbours,
                                            const std::vector<SurfaceSample>& samples,
                                            const std::vector<VoronoiVertex>& vertices, std::size_t most) {
    std::vector<std::vector<SurfaceSample>> found(vertices.size());
    tbb::parallel_for(std::size_t(0), vertices.size(), [&](std::size_t i) {
        for (const std::int32_t n : vertices[i].neighbour) {
            if (n <= static_cast<std::int32_t>(i)) continue;  // unbounded, or met from the other side
            const VoronoiVertex& other = vertices[static_cast<std::size_t>(n)];
            std::vector<std::uint32_t> shared;
            std::set_intersection(vertices[i].forming.begin(), vertices[i].forming.end(),
                                  other.forming.begin(), other.forming.end(), std::back_inserter(shared));
            for (const SurfaceQuery::Hit& hit : query.segment_hits(vertices[i].center, other.center)) {
                const double distance = (hit.point - samples[shared.front()].point).norm();
                const bool adjacent = std::any_of(shared.begin(), shared.end(), [&](std::uint32_t s) {
                    return neighbours.connected_in_ball(hit.triangle, samples[s].triangle, hit.point,
                                                        kConnectingBall * distance);
                });
                if (!adjacent) found[i].push_back({hit.point, normal_of(mesh, hit.triangle), hit.triangle});
            }
        }
    });
    std::vector<SurfaceSample> result;
    for (const auto& list : found) {
        for (const SurfaceSample& sample : list)
            if (result.size() < most) result.push_back(sample);
    }
    return result;
}

std::vector<SurfaceSample> bulge_samples(const TriangleMesh& mesh, const SurfaceQuery& query,
                                         const std::vector<VoronoiVertex>& vertices,
                                         const std::vector<std::uint8_t>& inside, std::size_t count) {
    struct Bulge {
        double depth;
        std::uint32_t vertex;
        SurfaceQuery::Closest at;
    };
    std::vector<Bulge> bulges(vertices.size());
    tbb::parallel_for(std::size_t(0), vertices.size(), [&](std::size_t i) {
        bulges[i].vertex = static_cast<std::uint32_t>(i);
        bulges[i].depth = 0.0;
        if (inside[i]) {
            bulges[i].at = query.closest(vertices[i].center);
            bulges[i].depth = vertices[i].radius - bulges[i].at.distance;
        }
    });
    std::sort(bulges.begin(), bulges.end(), [](const Bulge& a, const Bulge& b) {
        return a.depth > b.depth || (a.depth == b.depth && a.vertex < b.vertex);
    });
    std::vector<SurfaceSample> result;
    for (const Bulge& b : bulges) {
        if (result.size() >= count || b.depth <= 0.0) break;
        result.push_back({b.at.point, normal_of(mesh, b.at.triangle), b.at.triangle});
    }
    return result;
}

}  // namespace espalier
