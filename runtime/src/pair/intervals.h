// SPDX-License-Identifier: MIT
// Boxes as intervals along the axes of an overlap test: A's axes, B's, and the products of their edges.
#pragma once

#include "espalier/query.h"
#include "pair_frame.h"

namespace espalier {

/// Axes 0..2 are A's, 3..5 are B's, 6..14 the edge pairs e_i x (B's axis j) at 6 + 3 i + j.
/// How many of them a test stores.
constexpr unsigned stored_axes(Overlap overlap) {
    return overlap == Overlap::kSat ? 15 : 6;
}

/// Middles and half sides.
inline void middle_and_half(const F4* lo, const F4* hi, V4* middle, V4* half) {
    *middle = {(lo[0] + hi[0]) * 0.5f, (lo[1] + hi[1]) * 0.5f, (lo[2] + hi[2]) * 0.5f};
    *half = {(hi[0] - lo[0]) * 0.5f, (hi[1] - lo[1]) * 0.5f, (hi[2] - lo[2]) * 0.5f};
}

inline void store_interval(F4 middle, F4 reach, float* lo, float* hi) {
    store4(lo, middle - reach);
    store4(hi, middle + reach);
}

/// Edge axis e_i x column j of M: its components along i1 = i + 1 and i2 = i + 2 are -along1 and along2.
struct EdgeAxis {
    unsigned i1, i2;
    float along1, along2;

    EdgeAxis(const PairFrame& f, unsigned i, unsigned j)
        : i1((i + 1) % 3), i2((i + 2) % 3), along1(-f.m[3 * i2 + j]), along2(f.m[3 * i1 + j]) {}
    float length1() const { return std::fabs(along1) + std::fabs(along2); }
};

/// Intervals of A's boxes along the edge axes, with the margin.
inline void project_edges_a(const V4& middle, const V4& half, const PairFrame& f, float (*lo)[4],
                            float (*hi)[4]) {
    const F4 c[3] = {middle.x, middle.y, middle.z}, h[3] = {half.x, half.y, half.z};
    for (unsigned i = 0; i < 3; ++i)
        for (unsigned j = 0; j < 3; ++j) {
            const EdgeAxis axis(f, i, j);
            const F4 at = c[axis.i1] * axis.along1 + c[axis.i2] * axis.along2;
            const F4 reach = (h[axis.i1] * std::fabs(axis.along1) + h[axis.i2] * std::fabs(axis.along2)) +
                             axis.length1() * f.margin;
            store_interval(at, reach, lo[3 * i + j], hi[3 * i + j]);
        }
}

/// The same of B's boxes; `placed` are their middles in A's frame. The products of axis and column carry a
/// few roundings, which the second term of the reach covers.
inline void project_edges_b(const V4& placed, const V4& half, const PairFrame& f, float (*lo)[4],
                            float (*hi)[4]) {
    const F4 c[3] = {placed.x, placed.y, placed.z}, h[3] = {half.x, half.y, half.z};
    for (unsigned i = 0; i < 3; ++i)
        for (unsigned j = 0; j < 3; ++j) {
            const EdgeAxis axis(f, i, j);
            const float slack = 4e-7f * axis.length1() * f.max_scale;
            const F4 at = c[axis.i1] * axis.along1 + c[axis.i2] * axis.along2;
            F4 reach = splat(0.0f);
            for (unsigned k = 0; k < 3; ++k) {
                const float dot = f.m[3 * axis.i1 + k] * axis.along1 + f.m[3 * axis.i2 + k] * axis.along2;
                reach = reach + h[k] * ((k == j ? 0.0f : std::fabs(dot)) + slack);
            }
            store_interval(at, reach, lo[3 * i + j], hi[3 * i + j]);
        }
}

/// Completes lanes of A whose own intervals are `lo`, `hi`: `out` has `lo`, `hi` (an array of four an axis)
/// and `size`.
template <Overlap kOverlap, class Lanes>
inline void project_a(const PairFrame& f, const F4* lo, const F4* hi, Lanes* out) {
    for (unsigned k = 0; k < 3; ++k) {
        store4(out->lo[k], lo[k]);
        store4(out->hi[k], hi[k]);
    }
    V4 middle, half;
    middle_and_half(lo, hi, &middle, &half);
    store4(out->size, dot(half, half));
    if constexpr (kOverlap == Overlap::kSat || kOverlap == Overlap::kSatLite) {
        const V4 placed = transform(f.inv4, {middle.x - f.t4[0], middle.y - f.t4[1], middle.z - f.t4[2]});
        const V4 reach = transform(f.abs_inv4, half);
        store_interval(placed.x, reach.x + f.margin_b4[0], out->lo[3], out->hi[3]);
        store_interval(placed.y, reach.y + f.margin_b4[1], out->lo[4], out->hi[4]);
        store_interval(placed.z, reach.z + f.margin_b4[2], out->lo[5], out->hi[5]);
    }
    if constexpr (kOverlap == Overlap::kSat) project_edges_a(middle, half, f, out->lo + 6, out->hi + 6);
}

/// Completes lanes of B.
template <Overlap kOverlap, class Lanes>
inline void project_b(const PairFrame& f, const F4* lo, const F4* hi, Lanes* out) {
    for (unsigned k = 0; k < 3; ++k) {
        store4(out->lo[3 + k], lo[k]);
        store4(out->hi[3 + k], hi[k]);
    }
    V4 middle, half;
    middle_and_half(lo, hi, &middle, &half);
    store4(out->size, dot(half, half) * (f.max_scale * f.max_scale));
    const V4 turned = transform(f.m4, middle);
    const V4 placed = {turned.x + f.t4[0], turned.y + f.t4[1], turned.z + f.t4[2]};
    const V4 reach = transform(f.abs_m4, half);
    store_interval(placed.x, reach.x + f.margin4, out->lo[0], out->hi[0]);
    store_interval(placed.y, reach.y + f.margin4, out->lo[1], out->hi[1]);
    store_interval(placed.z, reach.z + f.margin4, out->lo[2], out->hi[2]);
    if constexpr (kOverlap == Overlap::kSat) project_edges_b(placed, half, f, out->lo + 6, out->hi + 6);
}

}  // namespace espalier
