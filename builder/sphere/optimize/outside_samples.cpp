// SPDX-License-Identifier: GPL-3.0-or-later
// An octree around the solid, down to blocks of a few cells, whose points share the triangles that may be
// nearest to them.
#include "builder/sphere/optimize/outside_samples.h"

#include <tbb/parallel_for.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "builder/sphere/optimize/tuning.h"
#include "builder/surface/flat_triangles.h"

namespace espalier {
namespace {

using Eigen::Vector3d;

/// Cells along a side of a block: as many in all as a vector has numbers.
constexpr int kBlock = 2;
static_assert(kBlock * kBlock * kBlock == kVectorLanes);
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
    Sampler(const InsideTest& inside, const SurfaceQuery& query, double near, double max_distance,
            double width)
        : inside_(inside),
          query_(query),
          near_(near),
          max_distance_(max_distance),
          width_(width),
          closed_(inside.kind() == SolidKind::kClosed) {}

    OutsideSamples run(const Cube& root) const {
        // Each starts from the triangle that is nearest to the cube it is in: from nowhere it takes ten times
        // as long.
        std::vector<Cube> cubes = {root};
        std::vector<SurfaceQuery::Closest> closest = {query_.closest(root.center)};
        for (int level = 0; level < 3; ++level) {  // enough for many threads
            std::vector<Cube> next;
            std::vector<SurfaceQuery::Closest> nearest(8 * cubes.size());
            for (const Cube& cube : cubes)
                for (unsigned octant = 0; octant < 8; ++octant) next.push_back(child_of(cube, octant));
            tbb::parallel_for(std::size_t(0), next.size(), [&](std::size_t i) {
                nearest[i] = query_.closest(next[i].center, closest[i / 8].triangle);
            });
            cubes = std::move(next);
            closest = std::move(nearest);
        }
        std::vector<OutsideSamples> parts(cubes.size());
        tbb::parallel_for(std::size_t(0), cubes.size(), [&](std::size_t i) {
            visit(cubes[i], 3, {closest[i].distance, closest[i].triangle, {}}, parts[i]);
        });
        OutsideSamples samples;
        samples.width = width_;
        for (const OutsideSamples& part : parts) {
            const auto append = [](auto& to, const auto& from) {
                to.insert(to.end(), from.begin(), from.end());
            };
            append(samples.point, part.point);
            append(samples.distance, part.distance);
            append(samples.volume, part.volume);
        }
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
        // The inside of a solid that is not closed may end where there is no triangle.
        if (nearest > max_distance_ || (closed_ && nearest > 0.0 && inside_.inside(cube.center))) return;
        if (around.triangles.empty()) {
            around.triangles =
                query_.few_triangles_near(cube.center, around.distance + 2.0 * corner, tuning::kFewTriangles);
        }
        const double cell = 2.0 * cube.half / kBlock;
        const double wanted = width_ * std::max(1.0, nearest / near_);
        if (cell <= wanted * (1.0 + 1e-9) || depth >= tuning::kSampleDepth) {
            fill(cube, around, samples);
        } else if (around.triangles.empty()) {
            for (unsigned octant = 0; octant < 8; ++octant) {
                const Cube child = child_of(cube, octant);
                const SurfaceQuery::Closest closest = query_.closest(child.center, around.hint);
                visit(child, depth + 1, {closest.distance, closest.triangle, {}}, samples);
            }
        } else {
            visit_children(cube, depth, around.triangles, samples);
        }
    }

    void visit_children(const Cube& cube, int depth, const Triangles& triangles,
                        OutsideSamples& samples) const {
        FlatTriangles::Points middles;
        for (unsigned octant = 0; octant < 8; ++octant) middles[octant] = child_of(cube, octant).center;
        std::vector<FlatTriangles::Distances> squared;
        query_.flat().squared_distances(middles, triangles, squared);
        const FlatTriangles::Distances least = least_of(squared);
        for (unsigned octant = 0; octant < 8; ++octant) {
            const Cube child = child_of(cube, octant);
            Around around{distance_of(least[octant]), triangles.front(), {}};
            // Nothing that is nearest to a point of the cube is farther from its middle.
            const double most = around.distance + 2.0 * std::sqrt(3.0) * child.half;
            const auto limit = static_cast<float>(most / query_.flat().unit()) * (1.0F + 1e-5F) + 1e-6F;
            for (std::size_t k = 0; k < triangles.size(); ++k)
                if (squared[k][octant] <= limit * limit) around.triangles.push_back(triangles[k]);
            visit(child, depth + 1, std::move(around), samples);
        }
    }

    void fill(const Cube& cube, const Around& around, OutsideSamples& samples) const {
        const double cell = 2.0 * cube.half / kBlock;
        const double volume = cell / width_ * (cell / width_) * (cell / width_);
        const bool one_side = closed_ && around.distance > std::sqrt(3.0) * cube.half;
        const bool middle_in = inside_.inside(cube.center);
        const std::uint64_t first = cube.key * kVectorLanes;
        FlatTriangles::Points points;
        for (unsigned k = 0; k < points.size(); ++k) {
            const std::uint64_t index = first + k;
            const Vector3d place((k & 1u) + jitter(3 * index), (k >> 1u & 1u) + jitter(3 * index + 1),
                                 (k >> 2u) + jitter(3 * index + 2));
            points[k] = cube.center + cell * (place - Vector3d::Constant(0.5 * kBlock));
        }
        const std::array<double, kVectorLanes> distances = distances_of(points, around);
        for (unsigned k = 0; k < points.size(); ++k) {
            // Beyond `near_` one of several stands for all.
            const double share = distances[k] > near_ ? near_ / distances[k] : 1.0;
            const double kept = std::min(1.0, share * share * volume);
            if (distances[k] > max_distance_ || jitter(~(first + k)) >= kept) continue;
            if (!(one_side ? middle_in : inside_.inside(points[k]))) {
                samples.point.push_back(points[k]);
                samples.distance.push_back(static_cast<float>(distances[k]));
                samples.volume.push_back(static_cast<float>(volume / kept));
            }
        }
    }

    std::array<double, kVectorLanes> distances_of(const FlatTriangles::Points& points,
                                                  const Around& around) const {
        std::array<double, kVectorLanes> distances;
        if (around.triangles.empty()) {
            std::uint32_t hint = around.hint;
            for (std::size_t k = 0; k < points.size(); ++k) {
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

    const InsideTest& inside_;
    const SurfaceQuery& query_;
    double near_;
    double max_distance_;
    double width_;
    bool closed_;
};

}  // namespace

OutsideSamples sample_outside(const InsideTest& inside, const SurfaceQuery& query, double near,
                              double max_distance, std::size_t count) {
    Eigen::AlignedBox3d box;
    for (const auto& p : inside.oriented().positions) box.extend(p.cast<double>());
    const double half = std::max(0.5 * box.sizes().maxCoeff() + 1.2 * max_distance, 1e-300);
    // Cells are the cube's by halves: its size is what can be chosen.
    const auto sampled = [&](double width) {
        double size = kBlock * width;
        while (size < 2.0 * half) size *= 2.0;
        return Sampler(inside, query, near, max_distance, width).run({box.center(), 0.5 * size, 1});
    };
    const double least = 2.0 * half / (kBlock * double(1 << tuning::kSampleDepth));
    double width = 2.0 * half / cube_root(tuning::kPilotCells);
    for (int round = 0;; ++round) {
        OutsideSamples samples = sampled(width);
        const double ratio = double(std::max<std::size_t>(1, samples.point.size())) / double(count);
        if (ratio > tuning::kPilotEnough || width <= least || round >= tuning::kPilotRounds) return samples;
        width = std::max(width * cube_root(ratio), least);
    }
}

}  // namespace espalier
