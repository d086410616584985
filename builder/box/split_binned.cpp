// SPDX-License-Identifier: GPL-3.0-or-later
// Division by the surface-area heuristic: binned for large ranges (Wald 2007, "On fast Construction of
// SAH-based Bounding Volume Hierarchies"), every allowed cut of three sorted orders for small ones.
#include <algorithm>
#include <array>
#include <limits>

#include "builder/box/split.h"
#include "builder/hierarchy/binned_split.h"

namespace espalier {
namespace {

using Box = Eigen::AlignedBox3f;

/// Bins an axis. More find cuts that are a little better and take more time on small ranges; another number
/// changes the baked tree.
constexpr std::size_t kBins = 32;
/// In triangles: ranges up to this size are swept exactly. A larger number takes longer, and changes the
/// baked tree.
constexpr std::size_t kSweptTriangles = 128;

/// Orders by middle along an axis, ties by index.
std::array<std::uint32_t, kSweptTriangles> sorted_order(std::span<const TriangleBounds> range, int axis) {
    std::array<std::uint32_t, kSweptTriangles> order;
    for (std::uint32_t i = 0; i < range.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(range.size()),
              [&](std::uint32_t a, std::uint32_t b) {
                  const float ma = range[a].doubled_middle()[axis], mb = range[b].doubled_middle()[axis];
                  return ma != mb ? ma < mb : range[a].triangle < range[b].triangle;
              });
    return order;
}

std::uint32_t sweep(std::span<TriangleBounds> range, const CutLimits& limits) {
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
    std::vector<TriangleBounds> sorted(range.begin(), range.end());
    for (std::size_t i = 0; i < range.size(); ++i) range[i] = sorted[best_order[i]];
    return best_count;
}

}  // namespace

std::uint32_t split_binned(std::span<TriangleBounds> range, const CutLimits& limits) {
    if (range.size() <= kSweptTriangles) return sweep(range, limits);
    const Binning<kBins> binning(range);
    const BinnedCut cut = binning.best_cut();
    // All middles coincide: any cut is as good, and the order of the input decides.
    if (cut.axis < 0) return balance_cut(range, static_cast<std::uint32_t>(range.size() / 2), 0, limits);
    const std::uint32_t left = stable_split(range, [&](std::uint32_t, const TriangleBounds& box) {
        return binning.bin(box, cut.axis) < cut.bin;
    });
    return balance_cut(range, left, cut.axis, limits);
}

}  // namespace espalier
