// SPDX-License-Identifier: GPL-3.0-or-later
// Aliasing of a sampled medial axis. A face of a Voronoi cell that meets the surface does so along its own
// border, which are Voronoi edges, or where an edge of the mesh crosses it: those crossings are looked at.
#include "builder/medial/medial_repair.h"

#include <tbb/parallel_for.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "builder/medial/medial_set.h"
#include "builder/medial/nearest_point.h"
#include "builder/surface/surface_pieces.h"
#include "builder/surface/surface_query.h"
#include "builder/surface/triangle_normal.h"

namespace espalier {

using Eigen::Vector3d;

namespace {

/// In distances of a crossing from the samples around it: within this ball, triangles must connect them.
/// Larger, and gaps are bridged unseen; at 1 or below, rounding cuts the samples off.
constexpr double kConnectingBall = 1.01;
/// Relative difference of the distances that a crossing may have from its samples. Larger, and rounding noise
/// passes for a crossing; smaller, and true ones are lost.
constexpr double kEquidistant = 1e-6;
/// Radius of the ball to which Voronoi edges are clipped, in radii of the one around the mesh's box: just
/// more than that one.
constexpr double kAroundMesh = 1.01;
/// How near samples of one round may be to each other, in distances from the samples before. Smaller, and
/// they come in heaps where one would do; larger, and there are more rounds.
constexpr double kApart = 0.5;

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

namespace {

/// Points that keep a distance of up to the grid's edge from each other. Cells are only looked up, never
/// walked, so the hash order does not matter.
class SpreadPoints {
  public:
    explicit SpreadPoints(double edge) : edge_(edge) {}

    /// False, and the point is left out, if one that was added is nearer than `distance`.
    bool add(const Vector3d& point, double distance) {
        const Eigen::Array3d home = (point.array() / edge_).floor();
        for (int code = 0; code < 27; ++code) {
            const auto found =
                cells_.find(key(home + Eigen::Array3d(code % 3, code / 3 % 3, code / 9) - 1.0));
            if (found == cells_.end()) continue;
            for (const Vector3d& other : found->second)
                if ((other - point).squaredNorm() < distance * distance) return false;
        }
        cells_[key(home)].push_back(point);
        return true;
    }

  private:
    static std::uint64_t key(const Eigen::Array3d& cell) {
        // Collisions only cost time: distances are compared anyway.
        const auto number = [](double c) { return static_cast<std::uint64_t>(static_cast<std::int64_t>(c)); };
        return number(cell.x()) * 0x9E3779B97F4A7C15U ^ number(cell.y()) * 0xC2B2AE3D27D4EB4FU ^
               number(cell.z()) * 0x165667B19E3779F9U;
    }

    double edge_;
    std::unordered_map<std::uint64_t, std::vector<Vector3d>> cells_;
};

/// What one search for missing samples looks at.
class CrossingSearch {
  public:
    CrossingSearch(const TriangleMesh& mesh, const SurfaceQuery& query, const TriangleNeighbours& neighbours,
                   const std::vector<SurfaceSample>& samples, const std::vector<VoronoiVertex>& vertices,
                   std::size_t known)
        : mesh_(mesh),
          query_(query),
          neighbours_(neighbours),
          samples_(samples),
          vertices_(vertices),
          known_(known),
          nearest_(sample_points(samples)) {
        Eigen::AlignedBox3d box;
        for (const auto& p : mesh.positions) box.extend(p.cast<double>());
        around_ = {box.center(), 0.5 * box.diagonal().norm() * kAroundMesh};
        list_neighbours();
    }

    /// Whether a crossing found before still has no sample nearer than then.
    bool still_open(const Crossing& crossing) const {
        return nearest_.nearest(crossing.point).distance >= crossing.distance * (1.0 - kEquidistant);
    }

    /// Those that hang together with none of their nearest samples, of which at least one is new: what
    /// belongs to others alone was looked at before.
    std::vector<Crossing> run() const {
        std::vector<std::vector<Crossing>> found(vertices_.size());
        tbb::parallel_for(std::size_t(0), vertices_.size(), [&](std::size_t i) { cross_edges(i, found[i]); });
        const std::vector<MeshEdge> edges = mesh_edges();
        found.resize(vertices_.size() + edges.size());
        tbb::parallel_for(std::size_t(0), edges.size(),
                          [&](std::size_t i) { cross_faces(edges[i], found[vertices_.size() + i]); });
        std::vector<Crossing> all;
        for (const auto& list : found) all.insert(all.end(), list.begin(), list.end());
        return all;
    }

  private:
    struct MeshEdge {
        std::uint32_t a;
        std::uint32_t b;
        std::uint32_t triangle;
    };

    /// The part of the segment within the ball around the mesh; false if there is none. Voronoi vertices of
    /// nearly flat cells are far away, and a crossing computed from there is noise.
    bool clip(Vector3d& from, Vector3d& to) const {
        const Vector3d along = to - from;
        const double length = along.norm();
        if (!(length > 0.0) || !std::isfinite(length)) return false;
        const Vector3d unit = along / length;
        const Vector3d to_center = around_.center - from;
        const double middle = to_center.dot(unit);
        const double aside = (to_center - middle * unit).squaredNorm();
        const double half = around_.radius * around_.radius - aside;
        if (!(half > 0.0)) return false;
        const double enter = std::max(0.0, middle - std::sqrt(half));
        const double leave = std::min(length, middle + std::sqrt(half));
        if (!(enter < leave)) return false;
        to = from + leave * unit;
        from += enter * unit;
        return true;
    }

    void cross_edges(std::size_t i, std::vector<Crossing>& found) const {
        for (const std::int32_t n : vertices_[i].neighbour) {
            if (n <= static_cast<std::int32_t>(i)) continue;  // unbounded, or met from the other side
            const VoronoiVertex& other = vertices_[static_cast<std::size_t>(n)];
            Vector3d from = vertices_[i].center;
            Vector3d to = other.center;
            std::vector<std::uint32_t> shared;
            std::set_intersection(vertices_[i].forming.begin(), vertices_[i].forming.end(),
                                  other.forming.begin(), other.forming.end(), std::back_inserter(shared));
            if (shared.empty() || shared.back() < known_ || !clip(from, to)) continue;
            for (const SurfaceQuery::Hit& hit : query_.segment_hits(from, to))
                consider(hit.point, hit.triangle, shared, found);
        }
    }

    /// Walks along an edge of the mesh from cell to cell.
    void cross_faces(const MeshEdge& edge, std::vector<Crossing>& found) const {
        const Vector3d a = mesh_.positions[edge.a].cast<double>();
        const Vector3d along = mesh_.positions[edge.b].cast<double>() - a;
        std::uint32_t cell = nearest_.nearest(a).point;
        double at = 0.0;
        for (std::size_t steps = 0; steps < samples_.size(); ++steps) {
            double next = 1.0;
            std::int64_t to = -1;
            const Vector3d p = samples_[cell].point;
            for (std::uint32_t k = first_[cell]; k < first_[cell + 1]; ++k) {
                // The bisector of p and q; ahead of it q is nearer.
                const Vector3d q = samples_[next_to_[k]].point;
                const double speed = 2.0 * along.dot(q - p);
                if (!(speed > 0.0)) continue;
                const double where = std::max(at, ((a - q).squaredNorm() - (a - p).squaredNorm()) / speed);
                if (where < next) {
                    next = where;
                    to = next_to_[k];
                }
            }
            if (to < 0) return;
            const std::array<std::uint32_t, 2> shared = {cell, static_cast<std::uint32_t>(to)};
            consider(a + next * along, edge.triangle, shared, found);
            cell = shared[1];
            at = next;
        }
    }

    void consider(const Vector3d& point, std::uint32_t triangle, std::span<const std::uint32_t> shared,
                  std::vector<Crossing>& found) const {
        if (std::none_of(shared.begin(), shared.end(), [&](std::uint32_t s) { return s >= known_; })) return;
        const double distance = (point - samples_[shared[0]].point).norm();
        for (const std::uint32_t s : shared) {
            const double other = (point - samples_[s].point).norm();
            if (std::abs(other - distance) > kEquidistant * distance) return;
        }
        for (const std::uint32_t s : shared)
            if (neighbours_.connected_in_ball(triangle, samples_[s].triangle, point,
                                              kConnectingBall * distance))
                return;
        found.push_back({point, triangle, distance});
    }

    /// Who shares a face with whom.
    void list_neighbours() {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
        pairs.reserve(12 * vertices_.size());
        for (const VoronoiVertex& v : vertices_) {
            for (const std::uint32_t a : v.forming)
                for (const std::uint32_t b : v.forming)
                    if (a != b) pairs.emplace_back(a, b);
        }
        std::sort(pairs.begin(), pairs.end());
        pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
        first_.assign(samples_.size() + 1, 0);
        for (const auto& [a, b] : pairs) ++first_[a + 1];
        for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
        next_to_.reserve(pairs.size());
        for (const auto& [a, b] : pairs) next_to_.push_back(b);
    }

    /// Each once, with the first triangle that has it.
    std::vector<MeshEdge> mesh_edges() const {
        std::vector<MeshEdge> edges;
        edges.reserve(3 * mesh_.triangles.size());
        for (std::uint32_t t = 0; t < mesh_.triangles.size(); ++t) {
            for (std::size_t e = 0; e < 3; ++e) {
                const std::uint32_t a = mesh_.triangles[t][e];
                const std::uint32_t b = mesh_.triangles[t][(e + 1) % 3];
                edges.push_back({std::min(a, b), std::max(a, b), t});
            }
        }
        std::sort(edges.begin(), edges.end(), [](const MeshEdge& x, const MeshEdge& y) {
            return std::tie(x.a, x.b, x.triangle) < std::tie(y.a, y.b, y.triangle);
        });
        edges.erase(
            std::unique(edges.begin(), edges.end(),
                        [](const MeshEdge& x, const MeshEdge& y) { return x.a == y.a && x.b == y.b; }),
            edges.end());
        return edges;
    }

    const TriangleMesh& mesh_;
    const SurfaceQuery& query_;
    const TriangleNeighbours& neighbours_;
    const std::vector<SurfaceSample>& samples_;
    const std::vector<VoronoiVertex>& vertices_;
    std::size_t known_;  ///< samples before this one are not new
    NearestPoint nearest_;
    Ball around_;
    std::vector<std::uint32_t> first_;    ///< by sample, into `next_to_`
    std::vector<std::uint32_t> next_to_;  ///< samples whose cells share a face with its own
};

}  // namespace

GapSearch::GapSearch(const TriangleMesh& mesh, const SurfaceQuery& query, double spacing)
    : mesh_(mesh), query_(query), neighbours_(mesh), spacing_(spacing) {}

RepairRound GapSearch::next(const std::vector<SurfaceSample>& samples,
                            const std::vector<VoronoiVertex>& vertices, std::size_t most) {
    RepairRound round;
    if (vertices.empty()) return round;
    const CrossingSearch search(mesh_, query_, neighbours_, samples, vertices, known_);
    std::erase_if(crossings_, [&](const Crossing& crossing) { return !search.still_open(crossing); });
    const std::vector<Crossing> found = search.run();
    crossings_.insert(crossings_.end(), found.begin(), found.end());
    known_ = samples.size();
    std::sort(crossings_.begin(), crossings_.end(), [](const Crossing& x, const Crossing& y) {
        if (x.distance != y.distance) return x.distance > y.distance;
        if (x.triangle != y.triangle) return x.triangle < y.triangle;
        return std::lexicographical_compare(x.point.data(), x.point.data() + 3, y.point.data(),
                                            y.point.data() + 3);
    });
    // The most urgent first. Those that a new sample is near may need none any more: the next round tells.
    SpreadPoints taken(spacing_);
    for (const Crossing& crossing : crossings_) {
        if (crossing.distance < kLeastSpacing * spacing_) {
            ++round.too_close;
            continue;
        }
        if (round.missing.size() >= most) {
            round.complete = false;
            break;
        }
        const double apart = std::clamp(kApart * crossing.distance, kLeastSpacing * spacing_, spacing_);
        if (!taken.add(crossing.point, apart)) continue;
        round.missing.push_back({crossing.point, normal_of(mesh_, crossing.triangle), crossing.triangle});
    }
    return round;
}

}  // namespace espalier
