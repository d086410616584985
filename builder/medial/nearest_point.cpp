// SPDX-License-Identifier: GPL-3.0-or-later
// A k-d tree, searched from its nearer side.
#include "builder/medial/nearest_point.h"

#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace espalier {
namespace {

using Eigen::Vector3d;

constexpr std::uint32_t kLeafPoints = 8;

}  // namespace

NearestPoint::NearestPoint(std::vector<Vector3d> points) : points_(std::move(points)) {
    assert(!points_.empty());
    const auto box_of = [this](std::span<const std::uint32_t> items) {
        Box box{points_[items[0]], points_[items[0]]};
        for (const std::uint32_t i : items) {
            box.low = box.low.cwiseMin(points_[i]);
            box.high = box.high.cwiseMax(points_[i]);
        }
        return box;
    };
    const auto key = [this](std::uint32_t i, int axis) { return points_[i][axis]; };
    const auto longest = [&](std::span<const std::uint32_t> items) {
        const Box box = box_of(items);
        int axis = 0;
        (box.high - box.low).maxCoeff(&axis);
        return axis;
    };
    tree_ = MedianTreeBuilder(kLeafPoints, MedianOrder::kAsSplit, key, longest)
                .build(static_cast<std::uint32_t>(points_.size()));
    boxes_.reserve(tree_.nodes.size());
    for (const MedianNode& node : tree_.nodes) boxes_.push_back(box_of(tree_.items(node)));
}

NearestPoint::Found NearestPoint::nearest(const Vector3d& point) const {
    // Squared distance of a box, rounded down.
    const auto away = [&](std::uint32_t node) {
        const Box& box = boxes_[node];
        return (1.0 - 1e-14) *
               (box.low - point).cwiseMax(point - box.high).cwiseMax(Vector3d::Zero()).squaredNorm();
    };
    Found best{0, std::numeric_limits<double>::infinity()};  // squared until the end
    std::array<std::uint32_t, 64> stack;
    std::size_t depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const std::uint32_t index = stack[--depth];
        const MedianNode& node = tree_.nodes[index];
        if (away(index) > best.distance) continue;
        if (!node.leaf()) {
            const bool left_first = away(index + 1) <= away(node.right);
            stack[depth++] = left_first ? node.right : index + 1;
            stack[depth++] = left_first ? index + 1 : node.right;
            continue;
        }
        for (const std::uint32_t i : tree_.items(node)) {
            const double squared = (points_[i] - point).squaredNorm();
            if (squared < best.distance || (squared == best.distance && i < best.point)) best = {i, squared};
        }
    }
    best.distance = std::sqrt(best.distance);
    return best;
}

}  // namespace espalier
