// SPDX-License-Identifier: MIT
// Overlap of one volume of one aabb tree with the four children of a node of the other (van den Bergen 1998,
// section 3, SAT and SAT lite; the slab axes are ours).
#pragma once

#include "aabb_volume.h"
#include "espalier/query.h"
#include "pair_frame.h"

namespace espalier {

/// A volume as the pair test needs it, in A's local frame and, for boxes of B, in B's too.
struct PairVolume {
    float center[3];  ///< in A's frame
    float half[3];    ///< half extents in the own frame
    float extent[3];  ///< half extents of the box's enclosure along A's axes (A: = half; B: |M| half)
    float normal[3];  ///< slab direction in A's frame, unit
    float slab_lo, slab_hi, radius;
};

inline PairVolume pair_volume_a(const Volume& v) {
    PairVolume p;
    for (int k = 0; k < 3; ++k) {
        p.center[k] = (v.lo[k] + v.hi[k]) * 0.5f;
        p.half[k] = p.extent[k] = (v.hi[k] - v.lo[k]) * 0.5f;
        p.normal[k] = v.normal[k];
    }
    p.slab_lo = v.slab_lo;
    p.slab_hi = v.slab_hi;
    p.radius = v.radius;
    return p;
}

/// See `slabs_b` for what a scale does to the slab.
inline PairVolume pair_volume_b(const Volume& v, const PairFrame& f) {
    PairVolume p;
    float center[3];
    for (int k = 0; k < 3; ++k) {
        center[k] = (v.lo[k] + v.hi[k]) * 0.5f;
        p.half[k] = (v.hi[k] - v.lo[k]) * 0.5f;
    }
    for (int r = 0; r < 3; ++r) {
        const float* m = f.m + 3 * r;
        const float* am = f.abs_m + 3 * r;
        p.center[r] = ((center[0] * m[0] + center[1] * m[1]) + center[2] * m[2]) + f.t[r];
        p.extent[r] = (p.half[0] * am[0] + p.half[1] * am[1]) + p.half[2] * am[2];
        // Covectors go by the transposed inverse, which is M itself for a rotation.
        p.normal[r] = (v.normal[0] * f.inv[r] + v.normal[1] * f.inv[3 + r]) + v.normal[2] * f.inv[6 + r];
    }
    p.slab_lo = v.slab_lo;
    p.slab_hi = v.slab_hi;
    p.radius = v.radius;
    if (!f.rigid) {
        const float length =
            std::sqrt((p.normal[0] * p.normal[0] + p.normal[1] * p.normal[1]) + p.normal[2] * p.normal[2]);
        const float along = 1.0f / length;
        const float reach =
            std::fabs(p.slab_lo) > std::fabs(p.slab_hi) ? std::fabs(p.slab_lo) : std::fabs(p.slab_hi);
        for (float& n : p.normal) n *= along;
        p.slab_lo *= along;
        p.slab_hi *= along;
        p.radius = f.max_scale * std::sqrt(p.radius * p.radius + reach * reach);
    }
    return p;
}

/// Children as the pair test needs them.
struct PairVolumes4 {
    V4 center, half, extent, normal;
    F4 slab_lo, slab_hi, radius;
};

inline PairVolumes4 boxes_a(const AabbNode& node, const Volume& parent) {
    PairVolumes4 c;
    decode_boxes(node, parent, &c.center, &c.half);
    c.extent = c.half;
    return c;
}

inline PairVolumes4 boxes_b(const AabbNode& node, const Volume& parent, const PairFrame& f) {
    PairVolumes4 c;
    V4 center;
    decode_boxes(node, parent, &center, &c.half);
    const V4 turned = transform(f.m, center);
    c.center = {turned.x + f.t[0], turned.y + f.t[1], turned.z + f.t[2]};
    c.extent = transform(f.abs_m, c.half);
    return c;
}

inline void slabs_a(const AabbNode& node, PairVolumes4* c) {
    decode_slabs(node, c->half, &c->normal, &c->slab_lo, &c->slab_hi, &c->radius);
}

/// Under a scale a slab's direction turns as a covector: n' = M^-T n / |M^-T n|, its interval shrinks by the
/// same length, and a point at most `radius` off the axis moves to at most max_scale * hypot(radius,
/// |interval|) off it.
inline void slabs_b(const AabbNode& node, const PairFrame& f, PairVolumes4* c) {
    V4 n;
    decode_slabs(node, c->half, &n, &c->slab_lo, &c->slab_hi, &c->radius);
    c->normal = {(n.x * f.inv[0] + n.y * f.inv[3]) + n.z * f.inv[6],
                 (n.x * f.inv[1] + n.y * f.inv[4]) + n.z * f.inv[7],
                 (n.x * f.inv[2] + n.y * f.inv[5]) + n.z * f.inv[8]};
    if (f.rigid) return;
    const F4 along = splat(1.0f) / sqrt(dot(c->normal, c->normal));
    const F4 reach = max(abs(c->slab_lo), abs(c->slab_hi));
    c->normal = {c->normal.x * along, c->normal.y * along, c->normal.z * along};
    c->slab_lo = c->slab_lo * along;
    c->slab_hi = c->slab_hi * along;
    c->radius = sqrt(c->radius * c->radius + reach * reach) * f.max_scale;
}

/// The nine edge-edge axes. `half_a`, `half_b` are half extents in the own frames; either may be the four.
inline M4 edge_axes_overlap(const V4& d, const V4& half_a, const V4& half_b, const PairFrame& f) {
    const F4 da[3] = {d.x, d.y, d.z};
    const F4 ha[3] = {half_a.x, half_a.y, half_a.z};
    const F4 hb[3] = {half_b.x, half_b.y, half_b.z};
    M4 overlap = splat(0.0f) <= splat(0.0f);
    for (int i = 0; i < 3; ++i) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
            // Axis: e_i x M column j = components (0, -m[i2], m[i1]) along (i, i1, i2).
            const float m1 = f.m[3 * i1 + j], m2 = f.m[3 * i2 + j];
            const float a1 = f.abs_m[3 * i1 + j], a2 = f.abs_m[3 * i2 + j];
            const F4 gap = abs(da[i2] * m1 - da[i1] * m2);
            F4 reach = (ha[i1] * a2 + ha[i2] * a1) + (a1 + a2) * f.margin;
            for (int k = 0; k < 3; ++k) {
                if (k == j) continue;
                const float projected = f.m[3 * i2 + k] * m1 - f.m[3 * i1 + k] * m2;
                reach = reach + hb[k] * std::fabs(projected) + hb[k] * (4e-7f * (a1 + a2) * f.max_scale);
            }
            overlap = overlap & (gap <= reach);
        }
    }
    return overlap;
}

/// Lanes whose boxes overlap. `d`: centre of B's box(es) minus centre of A's.
template <Overlap kOverlap>
inline M4 boxes_overlap(const V4& d, const V4& half_a, const V4& extent_b, const V4& half_b,
                        const PairFrame& f) {
    M4 overlap = (abs(d.x) <= half_a.x + extent_b.x + f.margin) &
                 (abs(d.y) <= half_a.y + extent_b.y + f.margin) &
                 (abs(d.z) <= half_a.z + extent_b.z + f.margin);
    const V4 e = transform(f.inv, d);
    const V4 extent_a = transform(f.abs_inv, half_a);
    overlap = overlap & (abs(e.x) <= extent_a.x + half_b.x + f.margin_b[0]) &
              (abs(e.y) <= extent_a.y + half_b.y + f.margin_b[1]) &
              (abs(e.z) <= extent_a.z + half_b.z + f.margin_b[2]);
    if constexpr (kOverlap == Overlap::kSat) overlap = overlap & edge_axes_overlap(d, half_a, half_b, f);
    return overlap;
}

/// Gap along the slab direction of `one` (positive: apart), for a disc-like volume `other` whose centre is at
/// `distance` along it and whose own direction meets it under cosine `c`, sine `s`.
inline F4 slab_gap(F4 distance, F4 c, F4 s, F4 one_lo, F4 one_hi, F4 other_lo, F4 other_hi, F4 other_radius) {
    const F4 p = c * other_lo, q = c * other_hi, r = s * other_radius;
    const F4 lo = (distance + min(p, q)) - r;
    const F4 hi = (distance + max(p, q)) + r;
    return max(lo - one_hi, one_lo - hi);
}

/// Largest gap along the two slab directions. `d`: centre of the lanes minus centre of the one.
/// 1 - c^2 is off by up to 8 * 2^-23 near 1; adding that keeps the sine an upper bound.
inline F4 slabs_gap(const PairVolume& one, const PairVolumes4& lanes, const V4& d) {
    const V4 n = splat3(one.normal);
    const F4 c = dot(n, lanes.normal);
    const F4 s = sqrt(max(splat(1.0f) - c * c, splat(0.0f)) + 1e-6f);
    const F4 lo = splat(one.slab_lo), hi = splat(one.slab_hi), radius = splat(one.radius);
    const F4 along_one = dot(n, d);
    const F4 along_lanes = splat(0.0f) - dot(lanes.normal, d);
    return max(slab_gap(along_one, c, s, lo, hi, lanes.slab_lo, lanes.slab_hi, lanes.radius),
               slab_gap(along_lanes, c, s, lanes.slab_lo, lanes.slab_hi, lo, hi, radius));
}

/// Bits of the children present in a node.
inline unsigned present_children(const AabbNode& node) {
    return unsigned(node.kind[0] != 0) | unsigned(node.kind[1] != 0) << 1 | unsigned(node.kind[2] != 0) << 2 |
           unsigned(node.kind[3] != 0) << 3;
}

/// Bits of A's children that may meet B's volume. `distance2`, if not null, receives the squared centre
/// distances.
template <Overlap kOverlap>
inline unsigned overlap_children_of_a(const AabbNode& node, const Volume& parent, const PairVolume& b,
                                      const PairFrame& f, float* distance2) {
    PairVolumes4 a = boxes_a(node, parent);
    const V4 center_b = splat3(b.center);
    const V4 d = center_b - a.center;
    unsigned hits = bits(boxes_overlap<kOverlap>(d, a.half, splat3(b.extent), splat3(b.half), f)) &
                    present_children(node);
    if (hits) {
        slabs_a(node, &a);
        hits &= bits(slabs_gap(b, a, a.center - center_b) <= splat(f.margin));
        store4(distance2, dot(d, d));
    }
    return hits;
}

/// Bits of B's children that may meet A's volume.
template <Overlap kOverlap>
inline unsigned overlap_children_of_b(const AabbNode& node, const Volume& parent, const PairVolume& a,
                                      const PairFrame& f, float* distance2) {
    PairVolumes4 b = boxes_b(node, parent, f);
    const V4 d = b.center - splat3(a.center);
    unsigned hits =
        bits(boxes_overlap<kOverlap>(d, splat3(a.half), b.extent, b.half, f)) & present_children(node);
    if (hits) {
        slabs_b(node, f, &b);
        hits &= bits(slabs_gap(a, b, d) <= splat(f.margin));
        store4(distance2, dot(d, d));
    }
    return hits;
}

}  // namespace espalier
