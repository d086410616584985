// SPDX-License-Identifier: GPL-3.0-or-later
// Flat regions by flooding; a region's outline, halved again and again, gives triangles that get smaller in
// geometric progression: two surfaces with the same outline in one plane are the same chain.
#include "builder/surface/compact_triangles.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

#include "builder/surface/edge_uses.h"

namespace espalier {
namespace {

using Eigen::Vector3d;

/// How far corners of a flat region may be from its plane, as a share of the mesh's size. A larger one finds
/// more regions and gives winding numbers that are wrong near them.
constexpr double kFlat = 1e-6;
/// Triangles: smaller regions are left alone. A smaller number gains little and takes more time.
constexpr std::size_t kFewTriangles = 64;
/// Regions are left alone, too, whose triangles' longest edges squared are on average less than this times
/// their areas: 2.3 for an equilateral triangle, 40 for one twenty times as long as high. A smaller number
/// replaces triangles that do no harm.
constexpr double kSliver = 40.0;

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

class SliverRegions {
  public:
    explicit SliverRegions(const TriangleMesh& mesh)
        : mesh_(mesh),
          across_(mesh.triangles.size(), {kNone, kNone, kNone}),
          region_(mesh.triangles.size(), kNone) {
        measure();
        link();
    }

    std::vector<CornerPoints> run() {
        std::vector<std::uint8_t> replaced(mesh_.triangles.size(), 0);
        std::vector<CornerPoints> other;
        for (const std::uint32_t seed : seeds()) {
            const std::vector<std::uint32_t> region = flood(seed);
            if (replaceable(region)) {
                retriangulate(region, other);
                for (const std::uint32_t t : region) replaced[t] = 1;
            }
        }
        std::vector<CornerPoints> result;
        for (std::uint32_t t = 0; t < mesh_.triangles.size(); ++t)
            if (!replaced[t]) result.push_back({mesh_.corner(t, 0), mesh_.corner(t, 1), mesh_.corner(t, 2)});
        result.insert(result.end(), other.begin(), other.end());
        return result;
    }

    /// Whether there is anything to do at all.
    bool needed() const { return slivers_ >= kFewTriangles; }

  private:
    void measure() {
        Eigen::AlignedBox3f box;
        for (const auto& p : mesh_.positions) box.extend(p);
        tolerance_ = kFlat * box.sizes().cast<double>().norm();
        for (std::uint32_t t = 0; t < mesh_.triangles.size(); ++t) {
            const Vector3d a = mesh_.corner(t, 0);
            const Vector3d b = mesh_.corner(t, 1);
            const Vector3d c = mesh_.corner(t, 2);
            area_.push_back(0.5 * (b - a).cross(c - a).norm());
            longest_.push_back(
                std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()}));
            slivers_ += longest_.back() > kSliver * area_.back();
        }
    }

    /// Finds the triangle across each edge that joins two with one orientation.
    void link() {
        if (!needed()) return;
        for_each_edge(sorted_edge_uses(mesh_), [&](std::span<const EdgeUse> edge) {
            if (edge.size() == 2 && edge[0].reversed != edge[1].reversed) {
                across_[edge[0].triangle][edge[0].edge] = edge[1].triangle;
                across_[edge[1].triangle][edge[1].edge] = edge[0].triangle;
            }
            return true;
        });
    }

    /// All triangles, those that know their plane best first.
    std::vector<std::uint32_t> seeds() const {
        std::vector<std::uint32_t> order(mesh_.triangles.size());
        std::iota(order.begin(), order.end(), 0u);
        const auto height_squared = [&](std::uint32_t t) { return area_[t] * area_[t] / longest_[t]; };
        std::sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) {
            const double hx = height_squared(x);
            const double hy = height_squared(y);
            return hx > hy || (hx == hy && x < y);
        });
        return order;
    }

    /// The triangles that are connected with the seed in its plane; none if it belongs to a region already.
    std::vector<std::uint32_t> flood(std::uint32_t seed) {
        if (region_[seed] != kNone) return {};
        const Vector3d origin = mesh_.corner(seed, 0);
        const Vector3d normal =
            (mesh_.corner(seed, 1) - origin).cross(mesh_.corner(seed, 2) - origin).normalized();
        std::vector<std::uint32_t> region(1, seed);
        region_[seed] = seed;
        for (std::size_t next = 0; next < region.size(); ++next) {
            for (const std::uint32_t t : across_[region[next]]) {
                if (t == kNone || region_[t] != kNone) continue;
                bool flat = true;
                for (std::size_t i = 0; i < 3; ++i)
                    flat = flat && std::abs(normal.dot(mesh_.corner(t, i) - origin)) <= tolerance_;
                if (flat) {
                    region_[t] = seed;
                    region.push_back(t);
                }
            }
        }
        return region;
    }

    bool replaceable(const std::vector<std::uint32_t>& region) const {
        double area = 0.0;
        double longest = 0.0;
        for (const std::uint32_t t : region) {
            area += area_[t];
            longest += longest_[t];
        }
        return region.size() >= kFewTriangles && longest > kSliver * area;
    }

    /// Replaces a region by triangles between corners of its outline.
    void retriangulate(const std::vector<std::uint32_t>& region, std::vector<CornerPoints>& result) const {
        // Directed edges of the outline, by where they start. As many end at a corner as start there.
        std::vector<std::pair<std::uint32_t, std::uint32_t>> outline;
        for (const std::uint32_t t : region) {
            for (std::size_t e = 0; e < 3; ++e) {
                const std::uint32_t other = across_[t][e];
                if (other == kNone || region_[other] != region_[t])
                    outline.emplace_back(mesh_.triangles[t][e], mesh_.triangles[t][(e + 1) % 3]);
            }
        }
        std::sort(outline.begin(), outline.end());
        std::vector<std::size_t> used(outline.size(), 0);  // at the first edge of a corner: how many are used
        const auto first_of = [&](std::uint32_t corner) {
            return static_cast<std::size_t>(
                std::lower_bound(outline.begin(), outline.end(), std::pair(corner, 0u)) - outline.begin());
        };
        std::vector<std::uint32_t> loop;
        for (std::size_t start = 0; start < outline.size(); ++start) {
            const std::uint32_t begin = outline[start].first;
            const std::size_t begin_first = first_of(begin);
            if (start - begin_first < used[begin_first]) continue;
            loop.clear();
            std::uint32_t corner = begin;
            do {
                loop.push_back(corner);
                const std::size_t first = first_of(corner);
                corner = outline[first + used[first]++].second;
            } while (corner != begin);
            halve(loop, 0, loop.size() - 1, result);
        }
    }

    /// The part of the plane between the outline from corner `i` to corner `k` and the straight line back.
    void halve(const std::vector<std::uint32_t>& loop, std::size_t i, std::size_t k,
               std::vector<CornerPoints>& result) const {
        if (k < i + 2) return;
        const std::size_t j = i + (k - i) / 2;
        result.push_back({mesh_.positions[loop[i]].cast<double>(), mesh_.positions[loop[j]].cast<double>(),
                          mesh_.positions[loop[k]].cast<double>()});
        halve(loop, i, j, result);
        halve(loop, j, k, result);
    }

    const TriangleMesh& mesh_;
    std::vector<std::array<std::uint32_t, 3>> across_;
    std::vector<std::uint32_t> region_;  ///< its seed
    std::vector<double> area_;
    std::vector<double> longest_;  ///< longest edges, squared
    double tolerance_ = 0.0;
    std::size_t slivers_ = 0;
};

}  // namespace

std::vector<CornerPoints> compact_triangles(const TriangleMesh& mesh) {
    SliverRegions regions(mesh);
    if (regions.needed()) return regions.run();
    std::vector<CornerPoints> same;
    same.reserve(mesh.triangles.size());
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
        same.push_back({mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2)});
    return same;
}

}  // namespace espalier
