// SPDX-License-Identifier: GPL-3.0-or-later
// Octree proof of volume coverage.
#include "builder/sphere/coverage/volume_coverage.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>
#include <vector>

namespace espalier {
namespace {

using Eigen::Vector3d;

// Cells of 2^-16 of the box: finer gaps than that are not proved.
constexpr int kMaxDepth = 16;

struct Cell {
    Vector3d center;
    Vector3d half;
    int depth;
};

/// False only if no triangle meets the cell, nor the ball around it.
bool may_meet_surface(const SolidVolume& volume, const Cell& cell) {
    const std::vector<std::uint32_t> near =
        volume.boxes.near_ball(cell.center, cell.half.maxCoeff() * (1.0 + 1e-12));
    return std::any_of(near.begin(), near.end(), [&](std::uint32_t t) {
        return !piece_outside_ball(whole_triangle(volume.solid.boundary(), t), cell.center,
                                   cell.half.norm() * (1.0 + 1e-12));
    });
}

/// The radius that a ball needs to cover a cell.
double radius_to_cover(const Ball& ball, const Cell& cell) {
    return ((ball.center - cell.center).cwiseAbs() + cell.half).norm();
}

bool meets(const Ball& ball, const Cell& cell) {
    const Vector3d gap = ((ball.center - cell.center).cwiseAbs() - cell.half).cwiseMax(0.0);
    return gap.norm() <= ball.radius;
}

class VolumeProver {
  public:
    explicit VolumeProver(const SolidVolume& volume) : volume_(volume) {}

    bool prove(const Cell& cell, const std::vector<Ball>& balls) const {
        for (const Ball& ball : balls)
            if (covers(ball, cell)) return true;
        const bool center_inside = volume_.solid.inside(cell.center);
        if (!center_inside && !may_meet_surface(volume_, cell)) return true;
        const auto has_center = [&](const Ball& b) { return (b.center - cell.center).norm() <= b.radius; };
        if (cell.depth >= kMaxDepth ||
            (center_inside && std::none_of(balls.begin(), balls.end(), has_center)))
            return false;
        for (int i = 0; i < 8; ++i) {
            const Cell part = octant(cell, i);
            if (!prove(part, meeting(part, balls))) return false;
        }
        return true;
    }

    static Cell octant(const Cell& cell, int i) {
        const Vector3d sign((i & 1) ? 0.5 : -0.5, (i & 2) ? 0.5 : -0.5, (i & 4) ? 0.5 : -0.5);
        return {cell.center + cell.half.cwiseProduct(sign), 0.5 * cell.half, cell.depth + 1};
    }

    static std::vector<Ball> meeting(const Cell& cell, const std::vector<Ball>& balls) {
        std::vector<Ball> result;
        for (const Ball& ball : balls)
            if (meets(ball, cell)) result.push_back(ball);
        return result;
    }

  private:
    static bool covers(const Ball& ball, const Cell& cell) {
        const Vector3d far = (ball.center - cell.center).cwiseAbs() + cell.half;
        return far.squaredNorm() <= ball.radius * ball.radius;
    }

    const SolidVolume& volume_;
};

Cell root_cell(const TriangleMesh& mesh) {
    Vector3d low = Vector3d::Constant(std::numeric_limits<double>::infinity());
    Vector3d high = -low;
    for (const auto& p : mesh.positions) {
        low = low.cwiseMin(p.cast<double>());
        high = high.cwiseMax(p.cast<double>());
    }
    // A hair larger than the bounding box, against rounding.
    const Vector3d half =
        0.5 * (high - low) * (1.0 + 1e-9) + Vector3d::Constant(1e-12 * (high - low).maxCoeff());
    return {0.5 * (low + high), half, 0};
}

/// Cells at this depth are covered by growing a ball.
constexpr int kGrowDepth = 11;

class VolumeFiller {
  public:
    VolumeFiller(const SolidVolume& volume, std::vector<Ball>& balls) : volume_(volume), balls_(balls) {}

    void fill(const Cell& cell, const std::vector<std::uint32_t>& candidates) {
        for (const std::uint32_t b : candidates)
            if (radius_to_cover(balls_[b], cell) <= balls_[b].radius) return;
        if (!volume_.solid.inside(cell.center) && !may_meet_surface(volume_, cell)) return;
        if (cell.depth >= kGrowDepth) {
            grow(cell);
            return;
        }
        for (int i = 0; i < 8; ++i) {
            const Cell part = VolumeProver::octant(cell, i);
            std::vector<std::uint32_t> near;
            for (const std::uint32_t b : candidates)
                if (meets(balls_[b], part)) near.push_back(b);
            fill(part, near);
        }
    }

  private:
    void grow(const Cell& cell) {
        std::size_t best = 0;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t b = 0; b < balls_.size(); ++b) {
            const double needed = std::max(radius_to_cover(balls_[b], cell), balls_[b].radius);
            const double growth =
                needed * needed * needed - balls_[b].radius * balls_[b].radius * balls_[b].radius;
            if (growth < least) {
                least = growth;
                best = b;
            }
        }
        balls_[best].radius =
            std::max(balls_[best].radius, radius_to_cover(balls_[best], cell) * (1.0 + 1e-9));
    }

    const SolidVolume& volume_;
    std::vector<Ball>& balls_;
};

}  // namespace

void cover_volume(const SolidVolume& volume, std::vector<Ball>& balls) {
    if (!volume.solid.has_inside()) return;
    std::vector<std::uint32_t> all(balls.size());
    std::iota(all.begin(), all.end(), 0u);
    VolumeFiller(volume, balls).fill(root_cell(volume.solid.boundary()), all);
}

bool volume_covered(const SolidVolume& volume, std::span<const Ball> balls) {
    if (!volume.solid.has_inside()) return false;
    const VolumeProver prover(volume);
    const Cell root = root_cell(volume.solid.boundary());
    const std::vector<Ball> all(balls.begin(), balls.end());
    std::atomic<bool> covered{true};
    tbb::parallel_for(0, 64, [&](int i) {
        const Cell cell = VolumeProver::octant(VolumeProver::octant(root, i / 8), i % 8);
        if (covered && !prover.prove(cell, VolumeProver::meeting(cell, all))) covered = false;
    });
    return covered;
}

}  // namespace espalier
