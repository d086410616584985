// SPDX-License-Identifier: GPL-3.0-or-later
// Signed distances on a grid, row by row: the nearest triangle of one node is a good guess for the next.
#include "builder/sphere_tree/distance_grid.h"

#include <tbb/parallel_for.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

namespace espalier {
namespace {

using Eigen::Vector3d;

/// Nodes along the longest side of the box at most, and beyond it on either side; and nodes in all, about.
constexpr double kNodes = 88.0;
constexpr int kRoom = 6;
constexpr double kAllNodes = 200000.0;

/// Directions along a spiral, each with about the same room: from one to the next by the golden angle, whose
/// cosine and sine are given here so that no library's trigonometry matters.
std::vector<Vector3d> spread_directions() {
    constexpr int kCount = 144;
    constexpr double kCosine = -0.73736887807831963;
    constexpr double kSine = 0.67549029426152364;
    std::vector<Vector3d> directions;
    double x = 1.0;
    double y = 0.0;
    for (int i = 0; i < kCount; ++i) {
        const double z = 1.0 - (2.0 * i + 1.0) / kCount;
        const double r = std::sqrt(1.0 - z * z);
        directions.emplace_back(r * x, r * y, z);
        const double turned = kCosine * x - kSine * y;
        y = kSine * x + kCosine * y;
        x = turned;
    }
    return directions;
}

}  // namespace

DistanceGrid::DistanceGrid(const InsideTest& inside, const SurfaceQuery& query) {
    Eigen::AlignedBox3d box;
    for (const auto& p : inside.oriented().positions) {
        box.extend(p.cast<double>());
    }
    const Vector3d sizes = box.sizes();
    width_ = std::max(sizes.maxCoeff() / kNodes, 1e-300);
    const auto nodes = [&] { return (sizes / width_ + Vector3d::Constant(2.0 * kRoom + 1.0)).prod(); };
    while (nodes() > kAllNodes) {
        width_ *= 1.05;
    }
    low_ = box.min() - Vector3d::Constant(kRoom * width_);
    for (int axis = 0; axis < 3; ++axis) {
        count_[axis] = static_cast<int>(std::ceil(sizes[axis] / width_)) + 2 * kRoom + 1;
    }
    distance_.resize(index(0, 0, count_[2]));
    const int rows = count_[1] * count_[2];
    tbb::parallel_for(0, rows, [&](int row) { fill_row(inside, query, row % count_[1], row / count_[1]); });
}

void DistanceGrid::fill_row(const InsideTest& inside, const SurfaceQuery& query, int y, int z) {
    std::uint32_t hint = 0;
    bool in = false;
    double known = 0.0;  // up to this distance from the last node, `in` is true of all
    for (int x = 0; x < count_[0]; ++x) {
        const Vector3d point = low_ + width_ * Vector3d(x, y, z);
        const SurfaceQuery::Closest closest = query.closest(point, hint);
        hint = closest.triangle;
        if (known <= width_) {
            in = inside.kind() == SolidKind::kClosed && inside.inside(point);
        }
        known = closest.distance;
        distance_[index(x, y, z)] = static_cast<float>(in ? -closest.distance : closest.distance);
    }
}

double DistanceGrid::at(const Vector3d& point) const {
    const Vector3d place = (point - low_) / width_;
    int cell[3];
    float part[3];
    double beyond = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        const double last = count_[axis] - 1.001;
        const double clamped = std::clamp(place[axis], 0.0, last);
        beyond += (place[axis] - clamped) * (place[axis] - clamped);
        cell[axis] = static_cast<int>(clamped);
        part[axis] = static_cast<float>(clamped - cell[axis]);
    }
    const std::size_t next_y = static_cast<std::size_t>(count_[0]);
    const std::size_t next_z = next_y * static_cast<std::size_t>(count_[1]);
    const float* d = distance_.data() + index(cell[0], cell[1], cell[2]);
    const auto along_x = [&](const float* p) { return p[0] + part[0] * (p[1] - p[0]); };
    const float low = along_x(d) + part[1] * (along_x(d + next_y) - along_x(d));
    const float high = along_x(d + next_z) + part[1] * (along_x(d + next_z + next_y) - along_x(d + next_z));
    const double inner = std::max(0.0, static_cast<double>(low + part[2] * (high - low)));
    return beyond > 0.0 ? inner + width_ * std::sqrt(beyond) : inner;
}

double DistanceGrid::bulge(const Ball& ball) const {
    static const std::vector<Vector3d> kDirections = spread_directions();
    double most = 0.0;
    Vector3d best = kDirections.front();
    const auto better = [&](const Vector3d& direction) {
        const double distance = at(ball.center + ball.radius * direction);
        if (distance <= most) {
            return false;
        }
        most = distance;
        best = direction;
        return true;
    };
    for (const Vector3d& direction : kDirections) {
        better(direction);
    }
    // Up from the highest of them: a bulge may be narrower than they are apart.
    for (double step = 0.15; step > 0.03 && most > 0.0;) {
        const Vector3d from = best;
        const Vector3d side = from.unitOrthogonal();
        const Vector3d up = from.cross(side);
        bool moved = false;
        for (const Vector3d& way : {side, up, Vector3d(-side), Vector3d(-up)}) {
            moved = better((from + step * way).normalized()) || moved;
        }
        if (!moved) {
            step *= 0.5;
        }
    }
    return most;
}

}  // namespace espalier
