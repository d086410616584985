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

constexpr std::uint32_t kLeafTriangles = 4;

bool reaches(const Vector3f& low, const Vector3f& high, const Vector3d& ball_low, const Vector3d& ball_high) {
    return (low.cast<double>().array() <= ball_high.array()).all() &&
           (high.cast<double>().array() >= ball_low.array()).all();
}

}  // namespace

TriangleBoxes::TriangleBoxes(const TriangleMesh& mesh) {
    const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
    order_.resize(count);
    low_.resize(count);
    high_.resize(count);
    for (std::uint32_t t = 0; t < count; ++t) {
        const auto& [a, b, c] = mesh.triangles[t];
        order_[t] = t;
        low_[t] = mesh.positions[a].cwiseMin(mesh.positions[b]).cwiseMin(mesh.positions[c]);
        high_[t] = mesh.positions[a].cwiseMax(mesh.positions[b]).cwiseMax(mesh.positions[c]);
    }
    nodes_.reserve(count);
    if (count > 0) {
        build(mesh, 0, count);
    }
}

void TriangleBoxes::build(const TriangleMesh& mesh, std::uint32_t begin, std::uint32_t end) {
    const std::size_t index = nodes_.size();
    Node node{low_[order_[begin]], high_[order_[begin]], begin, end - begin};
    for (std::uint32_t i = begin; i < end; ++i) {
        node.low = node.low.cwiseMin(low_[order_[i]]);
        node.high = node.high.cwiseMax(high_[order_[i]]);
    }
    nodes_.push_back(node);
    if (end - begin <= kLeafTriangles) {
        return;
    }
    int axis = 0;
    (node.high - node.low).maxCoeff(&axis);
    const std::uint32_t middle = begin + (end - begin) / 2;
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                     [&](std::uint32_t a, std::uint32_t b) {
                         const double ca = double(low_[a][axis]) + high_[a][axis];
                         const double cb = double(low_[b][axis]) + high_[b][axis];
                         return ca < cb || (ca == cb && a < b);
                     });
    build(mesh, begin, middle);
    nodes_[index].first = static_cast<std::uint32_t>(nodes_.size());
    nodes_[index].count = 0;
    build(mesh, middle, end);
}

/// All triangles for whose box, and every box above it, `reaches(low, high)` holds; `most` and one at most.
template <class Reaches>
std::vector<std::uint32_t> TriangleBoxes::find(std::size_t most, Reaches reaches) const {
    std::vector<std::uint32_t> found;
    std::array<std::uint32_t, 64> stack;
    std::size_t depth = 0;
    if (!nodes_.empty()) {
        stack[depth++] = 0;
    }
    while (depth > 0 && found.size() <= most) {
        const std::uint32_t index = stack[--depth];
        const Node& node = nodes_[index];
        if (!reaches(node.low, node.high)) {
            continue;
        }
        if (node.count == 0) {
            stack[depth++] = node.first;
            stack[depth++] = index + 1;
            continue;
        }
        for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
            if (found.size() <= most && reaches(low_[order_[i]], high_[order_[i]])) {
                found.push_back(order_[i]);
            }
        }
    }
    return found;
}

std::vector<std::uint32_t> TriangleBoxes::near_ball(const Vector3d& center, double radius) const {
    // One ulp of slack for the two sums.
    const Vector3d reach =
        Vector3d::Constant(radius) + 4e-16 * (center.cwiseAbs() + Vector3d::Constant(radius));
    const Vector3d low = center - reach;
    const Vector3d high = center + reach;
    std::vector<std::uint32_t> found =
        find(kAll, [&](const Vector3f& l, const Vector3f& h) { return reaches(l, h, low, high); });
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
    if (found.size() > most) {
        found.clear();
    }
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
                std::fabs(m[j] * half[k] - m[k] * half[j]) > e[j] * across[k] + e[k] * across[j] + 1e-300) {
                return false;
            }
        }
        return true;
    });
}

}  // namespace espalier
