// SPDX-License-Identifier: GPL-3.0-or-later
// An octree around the solid, down to blocks of a few cells, whose points share the triangles that may be
// nearest to them.
#include "builder/sphere_tree/outside_samples.h"

#include <tbb/parallel_for.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "builder/sphere_tree/surface_pieces.h"

namespace espalier {
namespace {

using Eigen::Vector3d;

/// Cells along a side of a block.
constexpr int kBlock = 2;
/// Cells are made smaller, beginning with so many in the cube around everything, until there is this share of
/// the samples that are wanted.
constexpr double kPilot = 4000.0;
constexpr double kEnough = 0.7;
constexpr int kPilots = 6;
/// Of more triangles, each point looks for the nearest by itself.
constexpr std::size_t kFewTriangles = 160;
/// Halvings at most, from the box around everything to a block.
constexpr int kDepth = 12;

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
        if (!(next < root)) {
            return root;
        }
    }
}

struct Cube {
    Vector3d center;
    double half;
    std::uint64_t key;  ///< the way from the root, three bits a step
};

Cube child_of(const Cube& cube, unsigned octant) {
    const double half = 0.5 * cube.half;
    const Vector3d offset((octant & 1U) != 0 ? half : -half, (octant & 2U) != 0 ? half : -half,
                          (octant & 4U) != 0 ? half : -half);
    return {cube.center + offset, half, cube.key << 3 | octant};
}

class Sampler {
  public:
    Sampler(const InsideTest& inside, const SurfaceQuery& query, double near, double reach, double width)
        : inside_(inside),
          query_(query),
          near_(near),
          reach_(reach),
          width_(width),
          closed_(inside.kind() == SolidKind::kClosed) {}

    OutsideSamples run(const Cube& root) const {
        std::vector<Cube> cubes = {root};
        for (int level = 0; level < 3; ++level) {  // enough for many threads
            std::vector<Cube> next;
            for (const Cube& cube : cubes) {
                for (unsigned octant = 0; octant < 8; ++octant) {
                    next.push_back(child_of(cube, octant));
                }
            }
            cubes = std::move(next);
        }
        std::vector<OutsideSamples> parts(cubes.size());
        tbb::parallel_for(std::size_t(0), cubes.size(),
                          [&](std::size_t i) { visit(cubes[i], 3, 0, parts[i]); });
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
    void visit(const Cube& cube, int depth, std::uint32_t hint, OutsideSamples& samples) const {
        const SurfaceQuery::Closest closest = query_.closest(cube.center, hint);
        const double around = std::sqrt(3.0) * cube.half;  // to its corners
        const double cell = 2.0 * cube.half / kBlock;
        const double nearest = closest.distance - around;
        // The inside of a solid that is not closed may end where there is no triangle.
        if (nearest > reach_ || (closed_ && nearest > 0.0 && inside_.inside(cube.center))) {
            return;
        }
        const double wanted = width_ * std::max(1.0, nearest / near_);
        if (cell <= wanted * (1.0 + 1e-9) || depth >= kDepth) {
            fill(cube, closest, samples);
            return;
        }
        for (unsigned octant = 0; octant < 8; ++octant) {
            visit(child_of(cube, octant), depth + 1, closest.triangle, samples);
        }
    }

    void fill(const Cube& cube, const SurfaceQuery::Closest& closest, OutsideSamples& samples) const {
        const double cell = 2.0 * cube.half / kBlock;
        const double around = std::sqrt(3.0) * cube.half;
        const double volume = cell / width_ * (cell / width_) * (cell / width_);
        // Nothing that is nearest to a point of the block is farther from its middle.
        const std::vector<std::uint32_t> triangles =
            query_.triangles_near(cube.center, closest.distance + 2.0 * around);
        const bool few = triangles.size() <= kFewTriangles;
        const bool one_side = closed_ && closest.distance > around;
        const bool middle_in = inside_.inside(cube.center);
        std::uint32_t hint = closest.triangle;
        std::uint64_t index = cube.key * (kBlock * kBlock * kBlock);
        for (int z = 0; z < kBlock; ++z) {
            for (int y = 0; y < kBlock; ++y) {
                for (int x = 0; x < kBlock; ++x, ++index) {
                    const Vector3d place(x + jitter(3 * index), y + jitter(3 * index + 1),
                                         z + jitter(3 * index + 2));
                    const Vector3d point = cube.center + cell * (place - Vector3d::Constant(0.5 * kBlock));
                    const double distance = few ? distance_from(triangles, point) : far_distance(point, hint);
                    // Beyond `near_` one of several stands for all.
                    const double share = distance > near_ ? near_ / distance : 1.0;
                    const double kept = std::min(1.0, share * share * volume);
                    if (distance > reach_ || jitter(~index) >= kept) {
                        continue;
                    }
                    if (!(one_side ? middle_in : inside_.inside(point))) {
                        samples.point.push_back(point);
                        samples.distance.push_back(static_cast<float>(distance));
                        samples.volume.push_back(static_cast<float>(volume / kept));
                    }
                }
            }
        }
    }

    double far_distance(const Vector3d& point, std::uint32_t& hint) const {
        const SurfaceQuery::Closest closest = query_.closest(point, hint);
        hint = closest.triangle;
        return closest.distance;
    }

    double distance_from(const std::vector<std::uint32_t>& triangles, const Vector3d& point) const {
        const TriangleMesh& mesh = inside_.oriented();
        double least = std::numeric_limits<double>::infinity();
        for (const std::uint32_t t : triangles) {
            const Vector3d nearest =
                closest_point_on_triangle(point, mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2));
            least = std::min(least, (nearest - point).squaredNorm());
        }
        return std::sqrt(least);
    }

    const InsideTest& inside_;
    const SurfaceQuery& query_;
    double near_;
    double reach_;
    double width_;
    bool closed_;
};

}  // namespace

OutsideSamples sample_outside(const InsideTest& inside, const SurfaceQuery& query, double near, double reach,
                              std::size_t count) {
    Eigen::AlignedBox3d box;
    for (const auto& p : inside.oriented().positions) {
        box.extend(p.cast<double>());
    }
    const double half = std::max(0.5 * box.sizes().maxCoeff() + 1.2 * reach, 1e-300);
    // Cells are the cube's by halves: its size is what can be chosen.
    const auto sampled = [&](double width) {
        double size = kBlock * width;
        while (size < 2.0 * half) {
            size *= 2.0;
        }
        return Sampler(inside, query, near, reach, width).run({box.center(), 0.5 * size, 1});
    };
    const double least = 2.0 * half / (kBlock * double(1 << kDepth));
    double width = 2.0 * half / cube_root(kPilot);
    for (int round = 0;; ++round) {
        OutsideSamples samples = sampled(width);
        const double ratio = double(std::max<std::size_t>(1, samples.point.size())) / double(count);
        if (ratio > kEnough || width <= least || round >= kPilots) {
            return samples;
        }
        width = std::max(width * cube_root(ratio), least);
    }
}

}  // namespace espalier
