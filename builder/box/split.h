// SPDX-License-Identifier: GPL-3.0-or-later
// How a range of triangles is divided in two; each way is a file of its own.
#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <span>

#include "builder/box/box_tree.h"

namespace espalier {

/// A triangle's box; kept together with its index so that a range is read in sequence.
struct TriangleBox {
    Eigen::Vector3f lo, hi;
    std::uint32_t triangle;

    /// Twice the middle: halving would only rescale it.
    Eigen::Vector3f doubled_middle() const { return lo + hi; }
};

/// Where a range may be cut: left counts from `least` to `most` triangles, in steps of `unit` from 0.
struct CutLimits {
    std::uint32_t least = 0, most = 0, unit = 1;

    /// The allowed count nearest to `count`.
    std::uint32_t nearest(std::uint32_t count) const;
};

/// Reorders `range` so that its first triangles are the left ones and returns how many. The result is allowed
/// by `limits` and depends on the order of `range` and the arguments only.
std::uint32_t split_binned(std::span<TriangleBox> range, const CutLimits& limits);

/// The paper's nine candidates (or three, of the longest side of `box`), then moved to the nearest allowed
/// count.
std::uint32_t split_by_volume(std::span<TriangleBox> range, const Eigen::AlignedBox3f& box, bool longest_only,
                              const CutLimits& limits);

/// Moves triangles over the cut until the left count is allowed: those whose middles along `axis` are nearest
/// to the other side. `left_count` leading triangles are left. Keeps the order otherwise.
std::uint32_t settle_cut(std::span<TriangleBox> range, std::uint32_t left_count, int axis,
                         const CutLimits& limits);

/// Reorders stably: triangles for which `left(i)` holds come first. Returns how many.
template <class Left>
std::uint32_t stable_split(std::span<TriangleBox> range, Left left);

}  // namespace espalier

#include <vector>

namespace espalier {

template <class Left>
std::uint32_t stable_split(std::span<TriangleBox> range, Left left) {
    std::vector<TriangleBox> right;
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < range.size(); ++i) {
        const TriangleBox box = range[i];
        if (left(i, box))
            range[count++] = box;
        else
            right.push_back(box);
    }
    std::copy(right.begin(), right.end(), range.begin() + count);
    return count;
}

}  // namespace espalier
