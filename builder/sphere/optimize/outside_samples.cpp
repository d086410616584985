// SPDX-License-Identifier: GPL-3.0-or-later
// An octree around the solid, down to blocks of a few cells, whose points share the triangles that may be
// nearest to them.
#include "builder/sphere/optimize/outside_samples.h"

#include <tbb/parallel_for.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "builder/sphere/optimize/tuning.h"
#include "builder/surface/flat_triangles.h"

namespace espalier {
namespace {

using Eigen::Vector3d;

/// Cells along a side of a block: as many in all as a vector has numbers.
constexpr int kBlock = 2;
static_assert(kBlock * kBlock * kBlock == kVectorLanes);
/// Above this depth cubes are worked on in parallel, and none is sampled.
constexpr int kParallelDepth = 3;

/// A number from 0 to below 1 (the finalizer of SplitMix64, Steele et al. 2014).
double jitter(std::uint64_t seed) {
    std::uint64_t z = seed + 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1.0p-53;
}

/// By Newton's method: the C library's may differ from one to the next.
double cube_root(double value) {
    double root = std::max(value, 1.0);
    for (double next = root;; root = next) {
        next = (2.0 * root + value / (root * root)) / 3.0;
        if (!(next < root)) return root;
    }
}

constexpr double kPi = 3.141592653589793;

double triangles_per_area(const TriangleMesh& mesh) {
    double area = 0.0;
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        const Vector3d a = mesh.corner(t, 0);
        area += 0.5 * (mesh.corner(t, 1) - a).cross(mesh.corner(t, 2) - a).norm();
    }
    return double(mesh.triangles.size()) / std::max(area, 1e-300);
}

struct Cube {
    Vector3d center;
    double half;
    std::uint64_t key;  ///< the way from the root, three bits a step
};

Cube child_of(const Cube& cube, unsigned octant) {
    const double half = 0.5 * cube.half;
    const Vector3d offset((octant & 1u) != 0 ? half : -half, (octant & 2u) != 0 ? half : -half,
                          (octant & 4u) != 0 ? half : -half);
    return {cube.center + offset, half, cube.key << 3 | octant};
}

class Sampler {
  public:
    Sampler(const Solid& solid, const SurfaceQuery& query, double near, double max_distance, double width)
        : solid_(solid),
          query_(query),
          near_(near),
          max_distance_(max_distance),
          width_(width),
          triangles_per_area_(triangles_per_area(solid.boundary())) {}

    OutsideSamples run(const Cube& root) const {
        const SurfaceQuery::Closest closest = query_.closest(root.center);
        Around around{closest.distance, closest.triangle, {}};
        const std::size_t triangles = solid_.boundary().triangles.size();
        if (triangles <= tuning::kListedTriangles) {
            around.triangles.resize(triangles);
            std::iota(around.triangles.begin(), around.triangles.end(), 0u);
        }
        OutsideSamples samples;
        samples.width = width_;
        visit(root, 0, std::move(around), samples);
        return samples;
    }

  private:
    using Triangles = std::vector<std::uint32_t>;

    /// How far a cube's middle is from the surface, and which triangles may be nearest to any of its points;
    /// none if they are too many to be looked at one by one.
    struct Around {
        double distance;
        std::uint32_t hint;  ///< a triangle that is near
        Triangles triangles;
    };

    void visit(const Cube& cube, int depth, Around around, OutsideSamples& samples) const {
        const double corner = std::sqrt(3.0) * cube.half;
        const double nearest = around.distance - corner;
        if (nearest > max_distance_ || (nearest > 0.0 && solid_.inside(cube.center))) return;
        if (around.triangles.empty() &&
            expected_triangles(around.distance, corner) < double(tuning::kFewTriangles)) {
            around.triangles =
                query_.few_triangles_near(cube.center, around.distance + 2.0 * corner, tuning::kFewTriangles);
        }
        const double cell = 2.0 * cube.half / kBlock;
        const double wanted = width_ * std::max(1.0, nearest / near_);
        if (depth >= kParallelDepth && (cell <= wanted * (1.0 + 1e-9) || depth >= tuning::kSampleDepth))
            fill(cube, around, samples);
        else
            visit_children(cube, depth, around, samples);
    }

    /// About how many may be nearest to a point of a cube, were the surface flat and its triangles alike.
    double expected_triangles(double distance, double corner) const {
        return kPi * 4.0 * corner * (distance + corner) * triangles_per_area_;
    }

    void visit_children(const Cube& cube, int depth, const Around& around, OutsideSamples& samples) const {
        std::array<Around, 8> children =
            around.triangles.empty() ? by_search(cube, around) : by_list(cube, around);
        if (depth >= kParallelDepth) {
            for (unsigned octant = 0; octant < 8; ++octant)
                visit(child_of(cube, octant), depth + 1, std::move(children[octant]), samples);
            return;
        }
        std::array<OutsideSamples, 8> parts;
        tbb::parallel_for(0u, 8u, [&](unsigned octant) {
            visit(child_of(cube, octant), depth + 1, std::move(children[octant]), parts[octant]);
        });
        for (const OutsideSamples& part : parts) {
            const auto append = [](auto& to, const auto& from) {
                to.insert(to.end(), from.begin(), from.end());
            };
            append(samples.point, part.point);
            append(samples.distance, part.distance);
            append(samples.volume, part.volume);
        }
    }

    std::array<Around, 8> by_search(const Cube& cube, const Around& around) const {
        std::array<Around, 8> children;
        for (unsigned octant = 0; octant < 8; ++octant) {
            const SurfaceQuery::Closest closest = query_.closest(child_of(cube, octant).center, around.hint);
            children[octant] = {closest.distance, closest.triangle, {}};
        }
        return children;
    }

    std::array<Around, 8> by_list(const Cube& cube, const Around& around) const {
        const Triangles& triangles = around.triangles;
        FlatTriangles::Points middles;
        for (unsigned octant = 0; octant < 8; ++octant) middles[octant] = child_of(cube, octant).center;
        std::vector<FlatTriangles::Distances> squared;
        query_.flat().squared_distances(middles, triangles, squared);
        const FlatTriangles::Distances least = least_of(squared);
        std::array<Around, 8> children;
        for (unsigned octant = 0; octant < 8; ++octant) {
            children[octant] = {distance_of(least[octant]), triangles.front(), {}};
            // Nothing that is nearest to a point of the cube is farther from its middle.
            const double most = children[octant].distance + std::sqrt(3.0) * cube.half;
            const auto limit = static_cast<float>(most / query_.flat().unit()) * (1.0F + 1e-5F) + 1e-6F;
            for (std::size_t k = 0; k < triangles.size(); ++k)
                if (squared[k][octant] <= limit * limit) children[octant].triangles.push_back(triangles[k]);
        }
        return children;
    }

    /// Beyond `near_` one of several points stands for all.
    double kept_share(double distance, double volume) const {
        const double share = distance > near_ ? near_ / distance : 1.0;
        return std::min(1.0, share * share * volume);
    }

    void fill(const Cube& cube, const Around& around, OutsideSamples& samples) const {
        const double cell = 2.0 * cube.half / kBlock;
        const double volume = cell / width_ * (cell / width_) * (cell / width_);
        const bool one_side = around.distance > std::sqrt(3.0) * cube.half;
        const bool middle_in = solid_.inside(cube.center);
        const std::uint64_t first = cube.key * kVectorLanes;
        FlatTriangles::Points points;
        for (unsigned k = 0; k < points.size(); ++k) {
            const std::uint64_t index = first + k;
            const Vector3d place((k & 1u) + jitter(3 * index), (k >> 1u & 1u) + jitter(3 * index + 1),
                                 (k >> 2u) + jitter(3 * index + 2));
            points[k] = cube.center + cell * (place - Vector3d::Constant(0.5 * kBlock));
        }
        // Those that will not be kept need no distance.
        std::array<bool, kVectorLanes> wanted;
        for (unsigned k = 0; k < points.size(); ++k) {
            const double least = 0.999999 * (around.distance - (points[k] - cube.center).norm());
            wanted[k] = least <= max_distance_ && jitter(~(first + k)) < kept_share(least, volume);
        }
        const std::array<double, kVectorLanes> distances = distances_of(points, wanted, around);
        for (unsigned k = 0; k < points.size(); ++k) {
            const double kept = kept_share(distances[k], volume);
            if (!wanted[k] || distances[k] > max_distance_ || jitter(~(first + k)) >= kept) continue;
            if (!(one_side ? middle_in : solid_.inside(points[k]))) {
                samples.point.push_back(points[k]);
                samples.distance.push_back(static_cast<float>(distances[k]));
                samples.volume.push_back(static_cast<float>(volume / kept));
            }
        }
    }

    std::array<double, kVectorLanes> distances_of(const FlatTriangles::Points& points,
                                                  const std::array<bool, kVectorLanes>& wanted,
                                                  const Around& around) const {
        std::array<double, kVectorLanes> distances{};
        if (std::ranges::none_of(wanted, std::identity())) return distances;
        if (around.triangles.empty()) {
            std::uint32_t hint = around.hint;
            for (std::size_t k = 0; k < points.size(); ++k) {
                if (!wanted[k]) continue;
                const SurfaceQuery::Closest closest = query_.closest(points[k], hint);
                hint = closest.triangle;
                distances[k] = closest.distance;
            }
            return distances;
        }
        std::vector<FlatTriangles::Distances> squared;
        query_.flat().squared_distances(points, around.triangles, squared);
        const FlatTriangles::Distances least = least_of(squared);
        std::transform(least.begin(), least.end(), distances.begin(),
                       [&](float square) { return distance_of(square); });
        return distances;
    }

    static FlatTriangles::Distances least_of(const std::vector<FlatTriangles::Distances>& squared) {
        FlatTriangles::Distances least = squared.front();
        for (const FlatTriangles::Distances& of_triangle : squared)
            for (std::size_t k = 0; k < least.size(); ++k) least[k] = std::min(least[k], of_triangle[k]);
        return least;
    }

    double distance_of(float squared) const { return std::sqrt(double(squared)) * query_.flat().unit(); }

    const Solid& solid_;
    const SurfaceQuery& query_;
    double near_;
    double max_distance_;
    double width_;
    double triangles_per_area_;
};

/// The width of cells that gives about `count` samples; 0 if the known ones do not tell.
double width_from(const OutsideSamples& known, double near, double max_distance, std::size_t count) {
    double cells = 0.0;  // of the known width
    double farthest = 0.0;
    for (std::size_t i = 0; i < known.point.size(); ++i) {
        const double distance = known.distance[i];
        farthest = std::max(farthest, distance);
        if (distance > max_distance) continue;
        double cell = 1.0;  // its volume there: widths are halves of each other
        for (double width = 2.0 * near; width <= distance && cell < 1e9; width *= 2.0) cell *= 8.0;
        const double share = std::min(1.0, near / std::max(distance, 1e-300));
        cells += known.volume[i] * std::min(1.0 / cell, share * share);
    }
    if (cells <= 0.0 || max_distance > tuning::kKnownReach * farthest) return 0.0;
    return known.width * cube_root(cells / double(std::max<std::size_t>(1, count)));
}

}  // namespace

OutsideSamples sample_outside(const Solid& solid, const SurfaceQuery& query, double near, double max_distance,
                              std::size_t count, const OutsideSamples& known) {
    Eigen::AlignedBox3d box;
    for (const auto& p : solid.boundary().positions) box.extend(p.cast<double>());
    const double half = std::max(0.5 * box.sizes().maxCoeff() + 1.2 * max_distance, 1e-300);
    // Cells are the cube's by halves: its size is what can be chosen.
    const auto sampled = [&](double width) {
        double size = kBlock * width;
        while (size < 2.0 * half) size *= 2.0;
        return Sampler(solid, query, near, max_distance, width).run({box.center(), 0.5 * size, 1});
    };
    const double least = 2.0 * half / (kBlock * double(1 << tuning::kSampleDepth));
    const double from_known = width_from(known, near, max_distance, count);
    double width =
        std::max(from_known > 0.0 ? from_known : 2.0 * half / cube_root(tuning::kPilotCells), least);
    for (int round = 0;; ++round) {
        OutsideSamples samples = sampled(width);
        const double ratio = double(std::max<std::size_t>(1, samples.point.size())) / double(count);
        if (ratio > tuning::kPilotEnough || width <= least || round >= tuning::kPilotRounds) return samples;
        width = std::max(width * cube_root(ratio), least);
    }
}

}  // namespace espalier
