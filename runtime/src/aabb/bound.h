// SPDX-License-Identifier: MIT
// Lower bounds of the distance between one volume of one aabb tree and the four children of a node of the
// other.
#pragma once

#include "../pair/best_axis.h"
#include "overlap.h"

namespace espalier {

/// The boxes' gaps along A's three axes are the sides of a box between them, and so are those along B's; a
/// slab direction gives one more gap. Each is a lower bound; the largest is returned, less the rounding
/// margins.
inline F4 volume_distance(const V4& d, const V4& half_a, const V4& extent_b, const V4& half_b,
                          const PairFrame& f) {
    const V4 gap_a = {positive(abs(d.x) - (half_a.x + extent_b.x + f.margin4)),
                      positive(abs(d.y) - (half_a.y + extent_b.y + f.margin4)),
                      positive(abs(d.z) - (half_a.z + extent_b.z + f.margin4))};
    const V4 e = transform(f.inv4, d);
    const V4 extent_a = transform(f.abs_inv4, half_a);
    const V4 gap_b = {positive(abs(e.x) - (extent_a.x + half_b.x + f.margin_b4[0])) * f.scale4[0],
                      positive(abs(e.y) - (extent_a.y + half_b.y + f.margin_b4[1])) * f.scale4[1],
                      positive(abs(e.z) - (extent_a.z + half_b.z + f.margin_b4[2])) * f.scale4[2]};
    // Four roundings of relative 2^-24 each are covered by shrinking the root.
    return sqrt(max(dot(gap_a, gap_a), dot(gap_b, gap_b))) * 0.9999995f;
}

/// How far slabs reach from their centres along a direction that meets their own under cosine `c`; for the
/// 1e-6 see slabs_gap.
inline F4 slab_reach(F4 c, F4 lo, F4 hi, F4 radius) {
    const F4 s = sqrt(max(splat(1.0f) - c * c, splat(0.0f)) + 1e-6f);
    return max(c * lo, c * hi) + s * radius;
}

/// How far volumes reach from their centres along +u (side A) or -u (side B): the lesser of what box and slab
/// allow.
template <int kSide>
inline F4 reach_along(const BestAxis& axis, const V4& half, const V4& normal, F4 slab_lo, F4 slab_hi,
                      F4 radius) {
    const F4 box = dot(axis.abs_own[kSide], half);
    const F4 c = kSide == 0 ? dot(axis.u, normal) : splat(0.0f) - dot(axis.u, normal);
    return min(box, slab_reach(c, slab_lo, slab_hi, radius));
}

/// Gaps of four volumes to one along the lines through their centres, `d` long, which nearly separate volumes
/// that are far apart for their size. Normalising rounds once more than the fixed axes do: two margins.
inline F4 center_line_gap(const Volumes4& four, const VolumeLanes& other, unsigned lane, const V4& d,
                          F4 length, const PairFrame& f) {
    const F4 scale = splat(1.0f) / max(length, splat(1e-30f));
    const V4 line = {d.x * scale, d.y * scale, d.z * scale};
    const V4 along = {abs(line.x), abs(line.y), abs(line.z)};
    const F4 c = splat(0.0f) - dot(line, four.normal);
    const F4 reach = min(dot(along, four.extent), slab_reach(c, four.slab_lo, four.slab_hi, four.radius));
    const F4 other_c = dot(line, lane_of(other.normal, lane));
    const F4 other_reach = min(dot(along, lane_of(other.extent, lane)),
                               slab_reach(other_c, splat(other.slab_lo[lane]), splat(other.slab_hi[lane]),
                                          splat(other.radius[lane])));
    return (length - (reach + other_reach)) - (f.margin4 + f.margin4);
}

/// The weight of the centres' distance, beside the bound, in the order of visits. The bound alone prefers
/// large volumes, which come near without having anything near: with this the distances of the benchmark's
/// protocol F take an eighth fewer node tests, those of the torus of a million triangles a third.
constexpr float kCenterWeight = 0.4f;

/// As `overlap_children`, for distances: stores the volumes in `lanes`, a lower bound of each child's
/// distance in `bounds` and what to order the visits by in `keys`; returns the bits of the children whose
/// bound is below `limit`.
template <int kSide>
inline unsigned bound_children(const AabbNode& node, const VolumeLanes& parent, unsigned parent_lane,
                               const VolumeLanes& other, unsigned other_lane, const PairFrame& f,
                               const BestAxis& axis, float limit, VolumeLanes* lanes, float* bounds,
                               float* keys) {
    Volumes4 four;
    place_boxes<kSide>(node, parent, parent_lane, f, &four);
    const V4 d = four.center - lane_of(other.center, other_lane);
    const V4 other_half = lane_of(other.half, other_lane);
    F4 bound = kSide == 0 ? volume_distance(d, four.half, lane_of(other.extent, other_lane), other_half, f)
                          : volume_distance(d, other_half, four.extent, four.half, f);
    unsigned open = bits(bound <= splat(limit)) & present_children(node);
    if (!open) return 0;
    place_slabs<kSide>(node, f, &four);
    const F4 reach =
        reach_along<kSide>(axis, four.half, four.normal, four.slab_lo, four.slab_hi, four.radius);
    const F4 other_reach = reach_along<1 - kSide>(
        axis, other_half, lane_of(other.normal, other_lane), splat(other.slab_lo[other_lane]),
        splat(other.slab_hi[other_lane]), splat(other.radius[other_lane]));
    const F4 along = kSide == 0 ? splat(0.0f) - dot(axis.u, d) : dot(axis.u, d);
    const F4 gap = max(along - (reach + other_reach), slabs_gap(other, other_lane, four, d));
    const F4 length = sqrt(dot(d, d));
    bound = max(max(bound, gap - f.margin4), center_line_gap(four, other, other_lane, d, length, f));
    open &= bits(bound <= splat(limit));
    if (!open) return 0;
    store_lanes(four, f, unsigned(kSide), lanes);
    store4(bounds, bound);
    store4(keys, bound * (1.0f - kCenterWeight) + length * kCenterWeight);
    return open;
}

}  // namespace espalier
