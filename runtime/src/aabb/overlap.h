// SPDX-License-Identifier: MIT
// Overlap of one volume of one aabb tree with the four children of a node of the other (van den Bergen 1998,
// sections 3 and 6: SAT, SAT lite, nonuniform scale; the slab axes are ours).
#pragma once

#include "../pair/pair_frame.h"
#include "codec.h"
#include "espalier/query.h"

namespace espalier {

/// Volumes of up to four children, as kept on the walk's stack. Arrays are [axis][lane].
struct VolumeLanes {
    float lo[3][4], hi[3][4];  ///< box in the tree's own frame: what its children are decoded from
    float center[3][4];        ///< in A's frame
    float half[3][4];          ///< half extents in the own frame
    float extent[3][4];        ///< half extents of the box's enclosure along A's axes (A: half; B: |M| half)
    float normal[3][4];        ///< slab direction in A's frame, unit
    float slab_lo[4], slab_hi[4], radius[4];
    float size[4];  ///< squared circumradius in A's frame: decides which side is descended
};

/// Volumes of four children in registers.
struct Volumes4 {
    V4 lo, hi, center, half, extent, normal;
    F4 slab_lo, slab_hi, radius;
};

/// Centres given in the own frame, and the half extents, as seen in A's frame.
template <int kSide>
inline void place_centers(const V4& center, const PairFrame& f, Volumes4* c) {
    if constexpr (kSide == 0) {
        c->center = center;
        c->extent = c->half;
    } else {
        const V4 turned = transform(f.m4, center);
        c->center = {turned.x + f.t4[0], turned.y + f.t4[1], turned.z + f.t4[2]};
        c->extent = transform(f.abs_m4, c->half);
    }
}

/// Boxes of the four children of a node whose own box is lane `lane` of `parent`. Absent children are
/// inverted.
template <int kSide>
inline void place_boxes(const AabbNode& node, const VolumeLanes& parent, unsigned lane, const PairFrame& f,
                        Volumes4* c) {
    decode_boxes(node, lane_of(parent.lo, lane), lane_of(parent.hi, lane), &c->lo, &c->hi);
    const V4 center = {(c->lo.x + c->hi.x) * 0.5F, (c->lo.y + c->hi.y) * 0.5F, (c->lo.z + c->hi.z) * 0.5F};
    c->half = {(c->hi.x - c->lo.x) * 0.5F, (c->hi.y - c->lo.y) * 0.5F, (c->hi.z - c->lo.z) * 0.5F};
    place_centers<kSide>(center, f, c);
}

/// A slab's direction turns as a covector: n' = M^-T n / |M^-T n|, which is M n for a rotation. Under a scale
/// the interval shrinks by the same length, and a point at most `radius` off the axis moves to at most
/// max_scale * hypot(radius, |interval|) off it.
inline void turn_slabs(const PairFrame& f, Volumes4* c) {
    const V4 n = c->normal;
    const F4* m = f.inv4;
    c->normal = {(n.x * m[0] + n.y * m[3]) + n.z * m[6], (n.x * m[1] + n.y * m[4]) + n.z * m[7],
                 (n.x * m[2] + n.y * m[5]) + n.z * m[8]};
    if (f.rigid) return;
    const F4 along = splat(1.0F) / sqrt(dot(c->normal, c->normal));
    const F4 reach = max(abs(c->slab_lo), abs(c->slab_hi));
    c->normal = {c->normal.x * along, c->normal.y * along, c->normal.z * along};
    c->slab_lo = c->slab_lo * along;
    c->slab_hi = c->slab_hi * along;
    c->radius = sqrt(c->radius * c->radius + reach * reach) * f.max_scale;
}

template <int kSide>
inline void place_slabs(const AabbNode& node, const PairFrame& f, Volumes4* c) {
    decode_slabs(node, c->half, &c->normal, &c->slab_lo, &c->slab_hi, &c->radius);
    if constexpr (kSide == 1) turn_slabs(f, c);
}

/// The nine edge-edge axes. `d`: centre of B's box minus centre of A's; half extents in the own frames.
inline M4 edge_axes_overlap(const V4& d, const V4& half_a, const V4& half_b, const PairFrame& f) {
    const F4 da[3] = {d.x, d.y, d.z};
    const F4 ha[3] = {half_a.x, half_a.y, half_a.z};
    const F4 hb[3] = {half_b.x, half_b.y, half_b.z};
    M4 overlap = splat(0.0F) <= splat(1.0F);
    for (int i = 0; i < 3; ++i) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
            // The axis e_i x (column j of M) has the components (0, -m2, m1) along (i, i1, i2).
            const float m1 = f.m[3 * i1 + j], m2 = f.m[3 * i2 + j];
            const float a1 = f.abs_m[3 * i1 + j], a2 = f.abs_m[3 * i2 + j];
            const F4 gap = abs(da[i2] * m1 - da[i1] * m2);
            F4 reach = (ha[i1] * a2 + ha[i2] * a1) + splat((a1 + a2) * f.margin);
            for (int k = 0; k < 3; ++k) {
                if (k == j) continue;
                // The projected edge is a difference of products: its rounding counts against its terms.
                const float projected = f.m[3 * i2 + k] * m1 - f.m[3 * i1 + k] * m2;
                reach = reach + hb[k] * (std::fabs(projected) + 4e-7F * (a1 + a2) * f.max_scale);
            }
            overlap = overlap & (gap <= reach);
        }
    }
    return overlap;
}

/// Bits of the lanes whose boxes overlap. `d`: centre of B's box minus centre of A's.
template <Overlap kOverlap>
inline unsigned boxes_overlap(const V4& d, const V4& half_a, const V4& extent_b, const V4& half_b,
                              const PairFrame& f, unsigned present) {
    const M4 along_a = (abs(d.x) <= half_a.x + extent_b.x + f.margin4) &
                       (abs(d.y) <= half_a.y + extent_b.y + f.margin4) &
                       (abs(d.z) <= half_a.z + extent_b.z + f.margin4);
    present &= bits(along_a);
    if (!present) return 0;
    const V4 e = transform(f.inv4, d);
    const V4 extent_a = transform(f.abs_inv4, half_a);
    M4 overlap = (abs(e.x) <= extent_a.x + half_b.x + f.margin_b4[0]) &
                 (abs(e.y) <= extent_a.y + half_b.y + f.margin_b4[1]) &
                 (abs(e.z) <= extent_a.z + half_b.z + f.margin_b4[2]);
    if constexpr (kOverlap == Overlap::kSat) overlap = overlap & edge_axes_overlap(d, half_a, half_b, f);
    return present & bits(overlap);
}

/// Gap along the slab direction of one volume (positive: apart) to another whose centre is at `distance`
/// along it and whose own direction meets it under cosine `c` and sine `s`: points of the other are at most
/// its interval times c plus its radius times s away from its centre.
inline F4 slab_gap(F4 distance, F4 c, F4 s, F4 lo, F4 hi, F4 other_lo, F4 other_hi, F4 other_radius) {
    const F4 p = c * other_lo, q = c * other_hi, r = s * other_radius;
    return max((distance + min(p, q)) - (r + hi), lo - ((distance + max(p, q)) + r));
}

/// Largest gap along the two slab directions of lane `lane` of `one` and of each of the four. `d`: centres of
/// the four minus centre of the one. 1 - c^2 is off by up to 8 * 2^-23 near 1: adding 1e-6 keeps the sine an
/// upper bound.
inline F4 slabs_gap(const VolumeLanes& one, unsigned lane, const Volumes4& four, const V4& d) {
    const V4 n = lane_of(one.normal, lane);
    const F4 c = dot(n, four.normal);
    const F4 s = sqrt(max(splat(1.0F) - c * c, splat(0.0F)) + 1e-6F);
    const F4 lo = splat(one.slab_lo[lane]), hi = splat(one.slab_hi[lane]), radius = splat(one.radius[lane]);
    const F4 along_four = splat(0.0F) - dot(four.normal, d);
    return max(slab_gap(dot(n, d), c, s, lo, hi, four.slab_lo, four.slab_hi, four.radius),
               slab_gap(along_four, c, s, four.slab_lo, four.slab_hi, lo, hi, radius));
}

inline void store_lanes(const Volumes4& four, const PairFrame& f, unsigned side, VolumeLanes* lanes) {
    store12(lanes->lo, four.lo);
    store12(lanes->hi, four.hi);
    store12(lanes->center, four.center);
    store12(lanes->half, four.half);
    store12(lanes->extent, four.extent);
    store12(lanes->normal, four.normal);
    store4(lanes->slab_lo, four.slab_lo);
    store4(lanes->slab_hi, four.slab_hi);
    store4(lanes->radius, four.radius);
    const F4 size = dot(four.half, four.half);
    store4(lanes->size, side == 0 ? size : size * (f.max_scale * f.max_scale));
}

/// The root's volume in all lanes.
inline void store_root(const AabbTreeView& tree, const PairFrame& frame, unsigned side, VolumeLanes* lanes) {
    const AabbVolume v = root_volume(tree);
    Volumes4 four;
    four.lo = splat3(v.lo);
    four.hi = splat3(v.hi);
    const V4 center = {(four.lo.x + four.hi.x) * 0.5F, (four.lo.y + four.hi.y) * 0.5F,
                       (four.lo.z + four.hi.z) * 0.5F};
    four.half = {(four.hi.x - four.lo.x) * 0.5F, (four.hi.y - four.lo.y) * 0.5F,
                 (four.hi.z - four.lo.z) * 0.5F};
    if (side == 0)
        place_centers<0>(center, frame, &four);
    else
        place_centers<1>(center, frame, &four);
    four.normal = splat3(v.normal);
    four.slab_lo = splat(v.slab_lo);
    four.slab_hi = splat(v.slab_hi);
    four.radius = splat(v.radius);
    if (side == 1) turn_slabs(frame, &four);
    store_lanes(four, frame, side, lanes);
}

/// Tests the children of a node of side kSide (0: A, 1: B), whose volume is lane `parent_lane` of `parent`,
/// against lane `other_lane` of `other`. Returns the bits of those that may meet it; if there are any, stores
/// all four volumes in `lanes` and their squared centre distances in `distance2`.
template <Overlap kOverlap, int kSide>
inline unsigned overlap_children(const AabbNode& node, const VolumeLanes& parent, unsigned parent_lane,
                                 const VolumeLanes& other, unsigned other_lane, const PairFrame& f,
                                 VolumeLanes* lanes, float* distance2) {
    Volumes4 four;
    place_boxes<kSide>(node, parent, parent_lane, f, &four);
    const V4 d = four.center - lane_of(other.center, other_lane);
    const V4 other_half = lane_of(other.half, other_lane);
    const unsigned present = present_children(node);
    unsigned hits = kSide == 0 ? boxes_overlap<kOverlap>(d, four.half, lane_of(other.extent, other_lane),
                                                         other_half, f, present)
                               : boxes_overlap<kOverlap>(d, other_half, four.extent, four.half, f, present);
    if (!hits) return 0;
    place_slabs<kSide>(node, f, &four);
    hits &= bits(slabs_gap(other, other_lane, four, d) <= f.margin4);
    if (!hits) return 0;
    store_lanes(four, f, unsigned(kSide), lanes);
    store4(distance2, dot(d, d));
    return hits;
}

}  // namespace espalier
