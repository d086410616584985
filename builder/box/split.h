// SPDX-License-Identifier: GPL-3.0-or-later
// How a range of triangles is divided in two; each way is a file of its own.
#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <span>
#include <vector>

#include "builder/box/box_tree.h"
#include "builder/hierarchy/triangle_bounds.h"

namespace espalier {

/// Where a range may be cut: left counts from `least` to `most` triangles, in steps of `unit` from 0.
struct CutLimits {
    std::uint32_t least = 0, most = 0, unit = 1;

    /// The allowed count nearest to `count`.
    std::uint32_t nearest(std::uint32_t count) const;
};

/// Reorders `range` so that its first triangles are the left ones and returns how many. The result is allowed
/// by `limits` and depends on the order of `range` and the arguments only.
std::uint32_t split_binned(std::span<TriangleBounds> range, const CutLimits& limits);

/// The paper's nine candidates (or three, of the longest side of `box`), then moved to the nearest allowed
/// count.
std::uint32_t split_by_volume(std::span<TriangleBounds> range, const Eigen::AlignedBox3f& box,
                              bool longest_only, const CutLimits& limits);

/// Moves triangles over the cut until the left count is allowed: those whose middles along `axis` are nearest
/// to the other side. `left_count` leading triangles are left. Keeps the order otherwise.
std::uint32_t balance_cut(std::span<TriangleBounds> range, std::uint32_t left_count, int axis,
                          const CutLimits& limits);

/// Reorders stably: triangles for which `left(i)` holds come first. Returns how many.
template <class Left>
std::uint32_t stable_split(std::span<TriangleBounds> range, Left left) {
    std::vector<TriangleBounds> right;
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < range.size(); ++i) {
        const TriangleBounds box = range[i];
        if (left(i, box))
            range[count++] = box;
        else
            right.push_back(box);
    }
    std::copy(right.begin(), right.end(), range.begin() + count);
    return count;
}

}  // namespace espalier
