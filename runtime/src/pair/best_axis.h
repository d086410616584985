// SPDX-License-Identifier: MIT
// Bounds of distances along the direction between the nearest points found so far.
#pragma once

#include "pair_frame.h"

namespace espalier {

inline F4 positive(F4 x) {
    return max(x, splat(0.0f));
}

/// The direction from A to B between the nearest points found so far. It nearly separates their neighbours
/// too, so projecting on it prunes what the fixed axes cannot.
struct BestAxis {
    V4 u;           ///< unit, in A's frame; zero before the first pair
    V4 abs_own[2];  ///< |u| along A's axes; |M^T u| along B's: what half extents project with
};

inline BestAxis best_axis(const float* u, const PairFrame& f) {
    BestAxis axis;
    axis.u = splat3(u);
    axis.abs_own[0] = {abs(axis.u.x), abs(axis.u.y), abs(axis.u.z)};
    const F4* m = f.m4;
    const V4 turned = {(axis.u.x * m[0] + axis.u.y * m[3]) + axis.u.z * m[6],
                       (axis.u.x * m[1] + axis.u.y * m[4]) + axis.u.z * m[7],
                       (axis.u.x * m[2] + axis.u.y * m[5]) + axis.u.z * m[8]};
    axis.abs_own[1] = {abs(turned.x), abs(turned.y), abs(turned.z)};
    return axis;
}

/// Farthest reach along the best axis of boxes held as intervals, [axis][lane] with A's axes first and B's
/// behind: along +u for those of A, -u for those of B.
template <unsigned kSide>
inline F4 interval_reach(const float (*lo)[4], const float (*hi)[4], const BestAxis& axis) {
    const auto middle_of = [&](unsigned k) { return (load4(lo[k]) + load4(hi[k])) * 0.5f; };
    const auto half_of = [&](unsigned k) { return (load4(hi[k]) - load4(lo[k])) * 0.5f; };
    const V4 middle = {middle_of(0), middle_of(1), middle_of(2)};
    // Along A's axes a box of B has only its enclosure, whose middle is the box's own.
    constexpr unsigned kOwn = 3 * kSide;
    const V4 half = {half_of(kOwn), half_of(kOwn + 1), half_of(kOwn + 2)};
    const F4 at = dot(axis.u, middle), reach = dot(axis.abs_own[kSide], half);
    return kSide == 0 ? at + reach : at - reach;
}

}  // namespace espalier
