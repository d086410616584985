// SPDX-License-Identifier: GPL-3.0-or-later
// A median-split hierarchy of exact triangle boxes.
#include "builder/surface/triangle_boxes.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace espalier {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

/// Triangles in a leaf. More make a smaller tree that tests more boxes of triangles; the order in which
/// triangles are found depends on it.
constexpr std::uint32_t kLeafTriangles = 4;

bool meets(const Vector3f& low, const Vector3f& high, const Vector3d& ball_low, const Vector3d& ball_high) {
    return (low.cast<double>().array() <= ball_high.array()).all() &&
           (high.cast<double>().array() >= ball_low.array()).all();
}

}  // namespace

TriangleBoxes::TriangleBoxes(const TriangleMesh& mesh) {
    const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
    low_.resize(count);
    high_.resize(count);
    for (std::uint32_t t = 0; t < count; ++t) {
        const auto& [a, b, c] = mesh.triangles[t];
        low_[t] = mesh.positions[a].cwiseMin(mesh.positions[b]).cwiseMin(mesh.positions[c]);
        high_[t] = mesh.positions[a].cwiseMax(mesh.positions[b]).cwiseMax(mesh.positions[c]);
    }
    const auto doubled_middle = [this](std::uint32_t t, int axis) {
        return double(low_[t][axis]) + high_[t][axis];
    };
    const auto longest_side = [this](std::span<const std::uint32_t> items) {
        const Box box = box_of(items);
        int axis = 0;
        (box.high - box.low).maxCoeff(&axis);
        return axis;
    };
    tree_ =
        MedianTreeBuilder(kLeafTriangles, MedianOrder::kAsSplit, doubled_middle, longest_side).build(count);
    boxes_.resize(tree_.nodes.size());
    for (std::size_t n = boxes_.size(); n-- > 0;) {
        const MedianNode& node = tree_.nodes[n];
        if (node.leaf()) {
            boxes_[n] = box_of(tree_.items(node));
        } else {
            const Box& left = boxes_[n + 1];
            const Box& right = boxes_[node.right];
            boxes_[n] = {left.low.cwiseMin(right.low), left.high.cwiseMax(right.high)};
        }
    }
}

TriangleBoxes::Box TriangleBoxes::box_of(std::span<const std::uint32_t> triangles) const {
    Box box{low_[triangles[0]], high_[triangles[0]]};
    for (const std::uint32_t t : triangles) {
        box.low = box.low.cwiseMin(low_[t]);
        box.high = box.high.cwiseMax(high_[t]);
    }
    return box;
}

/// All triangles for whose box, and every box above it, `meets(low, high)` holds; `most` and one at most.
template <class Meets>
std::vector<std::uint32_t> TriangleBoxes::find(std::size_t most, Meets meets) const {
    std::vector<std::uint32_t> found;
    std::array<std::uint32_t, 64> stack;
    std::size_t depth = 0;
    if (!boxes_.empty()) stack[depth++] = 0;
    while (depth > 0 && found.size() <= most) {
        const std::uint32_t index = stack[--depth];
        const MedianNode& node = tree_.nodes[index];
        if (!meets(boxes_[index].low, boxes_[index].high)) continue;
        if (!node.leaf()) {
            stack[depth++] = node.right;
            stack[depth++] = index + 1;
            continue;
        }
        for (const std::uint32_t t : tree_.items(node))
            if (found.size() <= most && meets(low_[t], high_[t])) found.push_back(t);
    }
    return found;
}

std::vector<std::uint32_t> TriangleBoxes::near_ball(const Vector3d& center, double radius) const {
    // One ulp of slack for the two sums.
    const Vector3d half =
        Vector3d::Constant(radius) + 4e-16 * (center.cwiseAbs() + Vector3d::Constant(radius));
    const Vector3d low = center - half;
    const Vector3d high = center + half;
    std::vector<std::uint32_t> found =
        find(kAll, [&](const Vector3f& l, const Vector3f& h) { return meets(l, h, low, high); });
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<std::uint32_t> TriangleBoxes::few_near_ball(const Vector3d& center, double radius,
                                                        std::size_t most) const {
    const double limit = radius * radius * (1.0 + 1e-12);
    std::vector<std::uint32_t> found = find(most, [&](const Vector3f& l, const Vector3f& h) {
        const Vector3d away =
            (l.cast<double>() - center).cwiseMax(center - h.cast<double>()).cwiseMax(Vector3d::Zero());
        return away.squaredNorm() <= limit;
    });
    if (found.size() > most) found.clear();
    return found;
}

std::vector<std::uint32_t> TriangleBoxes::near_segment(const Vector3d& from, const Vector3d& to) const {
    const Vector3d middle = 0.5 * (from + to);
    const Vector3d half = 0.5 * (to - from);
    const Vector3d across = half.cwiseAbs();
    // Separating axes: the box's three and their products with the segment (Ericson 2005, section 5.3.3).
    return find(kAll, [&](const Vector3f& l, const Vector3f& h) {
        const Vector3d m = middle - 0.5 * (l.cast<double>() + h.cast<double>());
        const Vector3d e = 0.5 * (h.cast<double>() - l.cast<double>()) + 1e-12 * (across + m.cwiseAbs());
        for (int i = 0; i < 3; ++i) {
            const int j = (i + 1) % 3;
            const int k = (i + 2) % 3;
            if (std::fabs(m[i]) > e[i] + across[i] ||
                std::fabs(m[j] * half[k] - m[k] * half[j]) > e[j] * across[k] + e[k] * across[j] + 1e-300)
                return false;
        }
        return true;
    });
}

}  // namespace espalier
