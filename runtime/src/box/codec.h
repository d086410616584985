// SPDX-License-Identifier: MIT
// Deriving the boxes of a box tree (Zachmann 2002, section 3.1): a child's box is its parent's with sides
// moved in. The paper moves one side a child; here it is up to one an axis, for the same four bytes. Also
// where children lie: a node with n leaves is followed by the n - 1 nodes of its subtree, left before right.
// Builder and runtime share these functions, so what the builder proved of a derived box holds in every
// query.
#pragma once

#include "../base/simd.h"
#include "espalier/asset.h"

namespace espalier {

/// A subtree: its node (meaningless for one leaf), how many leaves it has and the first of them.
struct BoxRange {
    std::uint32_t node;
    std::uint32_t leaves;
    std::uint32_t first;
};

/// Left counts are stored in 16 bits: above 65536 leaves in units of a power of two.
inline std::uint32_t left_unit_shift(std::uint32_t leaves) {
    std::uint32_t shift = 0;
    while ((leaves - 1) >> shift > 65535u) ++shift;
    return shift;
}

/// Leaves below the left child of a node with `leaves` leaves.
inline std::uint32_t left_leaves(const BoxNode& node, std::uint32_t leaves) {
    return std::uint32_t{node.left} << left_unit_shift(leaves);
}

inline BoxRange left_child(const BoxRange& parent, std::uint32_t left) {
    return {parent.node + 1, left, parent.first};
}
inline BoxRange right_child(const BoxRange& parent, std::uint32_t left) {
    return {parent.node + left, parent.leaves - left, parent.first + left};
}

/// A derived box in its tree's own frame.
struct BoxVolume {
    float lo[3], hi[3];
};

inline BoxVolume root_box(const BoxTreeView& tree) {
    BoxVolume v;
    for (int k = 0; k < 3; ++k) {
        v.lo[k] = tree.lo[k];
        v.hi[k] = tree.hi[k];
    }
    return v;
}

/// Cuts are 128ths of the side: a power of two, so that the step carries no rounding of its own.
constexpr float kCutStep = 1.0F / 128.0F;

/// Moves one side of [lo, hi] in by |q| steps: the lower one for q > 0, the upper one for q < 0. The other
/// side and q = 0 stay bit by bit.
inline void cut_interval(float q, float* lo, float* hi) {
    const float step = (*hi - *lo) * kCutStep;
    *lo = *lo + (q > 0.0F ? q : 0.0F) * step;
    *hi = *hi + (q < 0.0F ? q : 0.0F) * step;
}

/// The same in four lanes.
inline void cut_intervals(F4 q, F4* lo, F4* hi) {
    const F4 zero = splat(0.0F);
    const F4 step = (*hi - *lo) * kCutStep;
    *lo = *lo + max(q, zero) * step;
    *hi = *hi + min(q, zero) * step;
}

/// Box of child 0 (left) or 1 (right).
inline BoxVolume child_box(const BoxNode& node, const BoxVolume& parent, unsigned child) {
    BoxVolume v = parent;
    for (unsigned k = 0; k < 3; ++k)
        cut_interval(static_cast<float>(node.cut[2 * k + child]), &v.lo[k], &v.hi[k]);
    return v;
}

}  // namespace espalier
