// SPDX-License-Identifier: GPL-3.0-or-later
// Division by the surface-area heuristic: binned for large ranges (Wald 2007, "On fast Construction of
// SAH-based Bounding Volume Hierarchies"), every allowed cut of three sorted orders for small ones.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "builder/box/split.h"

namespace espalier {
namespace {

using Box = Eigen::AlignedBox3f;

constexpr std::size_t kBins = 32;
/// Ranges up to this many triangles are swept exactly.
constexpr std::size_t kSweptTriangles = 128;

float half_area(const Box& box) {
    if (box.isEmpty()) return 0.0f;
    const Eigen::Vector3f d = box.sizes();
    return d.x() * d.y() + d.y() * d.z() + d.z() * d.x();
}

void extend(Box& box, const TriangleBox& triangle) {
    box.extend(triangle.lo);
    box.extend(triangle.hi);
}

/// Orders by middle along an axis, ties by index.
std::array<std::uint32_t, kSweptTriangles> sorted_order(std::span<const TriangleBox> range, int axis) {
    std::array<std::uint32_t, kSweptTriangles> order;
    for (std::uint32_t i = 0; i < range.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(range.size()),
              [&](std::uint32_t a, std::uint32_t b) {
                  const float ma = range[a].doubled_middle()[axis], mb = range[b].doubled_middle()[axis];
                  return ma != mb ? ma < mb : range[a].triangle < range[b].triangle;
              });
    return order;
}

std::uint32_t sweep(std::span<TriangleBox> range, const CutLimits& limits) {
    float best_cost = std::numeric_limits<float>::infinity();
    std::uint32_t best_count = limits.nearest(static_cast<std::uint32_t>(range.size() / 2));
    std::array<std::uint32_t, kSweptTriangles> best_order = sorted_order(range, 0);
    for (int axis = 0; axis < 3; ++axis) {
        const auto order = sorted_order(range, axis);
        std::array<float, kSweptTriangles> right_area;
        Box box;
        for (std::size_t i = range.size(); i-- > 0;) {
            extend(box, range[order[i]]);
            right_area[i] = half_area(box);
        }
        box.setEmpty();
        for (std::uint32_t i = 0; i < limits.most; ++i) {
            extend(box, range[order[i]]);
            const std::uint32_t left = i + 1;
            if (left < limits.least || left % limits.unit != 0) continue;
            const float cost = half_area(box) * static_cast<float>(left) +
                               right_area[left] * static_cast<float>(range.size() - left);
            if (!(cost < best_cost)) continue;
            best_cost = cost;
            best_count = left;
            best_order = order;
        }
    }
    std::vector<TriangleBox> sorted(range.begin(), range.end());
    for (std::size_t i = 0; i < range.size(); ++i) range[i] = sorted[best_order[i]];
    return best_count;
}

struct Bin {
    Box box;
    std::uint32_t count = 0;
};

/// Triangles whose doubled middle along `axis` falls below bin `bin` go left.
struct Cut {
    int axis = -1;
    std::size_t bin = 0;
};

struct Binning {
    Box middles;
    Eigen::Vector3f scale;

    explicit Binning(std::span<const TriangleBox> range) {
        for (const TriangleBox& box : range) middles.extend(box.doubled_middle());
        const Eigen::Vector3f size = middles.sizes();
        for (int k = 0; k < 3; ++k) {
            scale[k] = size[k] > 0 ? (static_cast<float>(kBins) * 0.99999f) / size[k] : 0.0f;
            if (!std::isfinite(scale[k])) scale[k] = 0.0f;
        }
    }

    std::size_t bin(const TriangleBox& box, int axis) const {
        const float at = (box.doubled_middle()[axis] - middles.min()[axis]) * scale[axis];
        return std::min(static_cast<std::size_t>(at), kBins - 1);
    }
};

void best_of_axis(const std::array<Bin, kBins>& bins, int axis, Cut* best, float* best_cost) {
    std::array<float, kBins> left_cost;
    Box box;
    std::uint32_t count = 0;
    for (std::size_t i = 0; i + 1 < kBins; ++i) {
        box.extend(bins[i].box);
        count += bins[i].count;
        left_cost[i] = half_area(box) * static_cast<float>(count);
    }
    box.setEmpty();
    count = 0;
    for (std::size_t i = kBins - 1; i > 0; --i) {
        box.extend(bins[i].box);
        count += bins[i].count;
        const float cost = left_cost[i - 1] + half_area(box) * static_cast<float>(count);
        if (count > 0 && cost < *best_cost) {
            *best_cost = cost;
            *best = {axis, i};
        }
    }
}

Cut binned_cut(std::span<const TriangleBox> range, const Binning& binning) {
    std::array<std::array<Bin, kBins>, 3> bins;
    for (const TriangleBox& box : range)
        for (int axis = 0; axis < 3; ++axis) {
            Bin& bin = bins[static_cast<std::size_t>(axis)][binning.bin(box, axis)];
            extend(bin.box, box);
            ++bin.count;
        }
    Cut best;
    float best_cost = std::numeric_limits<float>::infinity();
    for (int axis = 0; axis < 3; ++axis)
        if (binning.scale[axis] > 0)
            best_of_axis(bins[static_cast<std::size_t>(axis)], axis, &best, &best_cost);
    return best;
}

}  // namespace

std::uint32_t split_binned(std::span<TriangleBox> range, const CutLimits& limits) {
    if (range.size() <= kSweptTriangles) return sweep(range, limits);
    const Binning binning(range);
    const Cut cut = binned_cut(range, binning);
    // All middles coincide: any cut is as good, and the order of the input decides.
    if (cut.axis < 0) return settle_cut(range, static_cast<std::uint32_t>(range.size() / 2), 0, limits);
    const std::uint32_t left = stable_split(
        range, [&](std::uint32_t, const TriangleBox& box) { return binning.bin(box, cut.axis) < cut.bin; });
    return settle_cut(range, left, cut.axis, limits);
}

}  // namespace espalier
