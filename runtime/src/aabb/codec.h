// SPDX-License-Identifier: MIT
// Decoding the volumes of an aabb tree: a box (derived from the parent's, quantized outward) and a slab: the
// points lie within [slab_lo, slab_hi] along a unit direction and within `radius` of the axis through the box
// centre. Builder and runtime share these functions, so what the builder proved of a decoded volume holds in
// every query.
#pragma once

#include "../base/simd.h"
#include "espalier/asset.h"

namespace espalier {

/// One decoded volume in its tree's own frame.
struct AabbVolume {
    float lo[3], hi[3];
    float normal[3];
    float slab_lo, slab_hi, radius;
};

/// One 255th, enlarged by 2^-21: three roundings on the way to the 255th step then never fall short of the
/// parent's upper side.
constexpr float kBoxStep = (1.0f / 255.0f) * (1.0f + 4.76837158203125e-7f);
constexpr float kSlabStep = 1.0f / 127.5f;

inline float decode_side(float parent_lo, float step, float q) {
    return parent_lo + q * step;
}

inline void box_steps(const AabbVolume& parent, float* step) {
    for (int k = 0; k < 3; ++k) step[k] = (parent.hi[k] - parent.lo[k]) * kBoxStep;
}

/// Boxes of the four children, lane by lane as `decode_child` gives them. Absent children are inverted boxes.
inline void decode_boxes(const AabbNode& node, const V4& parent_lo, const V4& parent_hi, V4* lo, V4* hi) {
    const V4 step = {(parent_hi.x - parent_lo.x) * kBoxStep, (parent_hi.y - parent_lo.y) * kBoxStep,
                     (parent_hi.z - parent_lo.z) * kBoxStep};
    *lo = {parent_lo.x + widen_u8(node.lo) * step.x, parent_lo.y + widen_u8(node.lo + 4) * step.y,
           parent_lo.z + widen_u8(node.lo + 8) * step.z};
    *hi = {parent_lo.x + widen_u8(node.hi) * step.x, parent_lo.y + widen_u8(node.hi + 4) * step.y,
           parent_lo.z + widen_u8(node.hi + 8) * step.z};
}

/// Slabs of the four children, given their half extents.
inline void decode_slabs(const AabbNode& node, const V4& half, V4* normal, F4* slab_lo, F4* slab_hi,
                         F4* radius) {
    const V4 n = {widen_s8(node.normal), widen_s8(node.normal + 4), widen_s8(node.normal + 8)};
    const F4 scale = splat(1.0f) / sqrt(max(dot(n, n), splat(1.0f)));
    *normal = {n.x * scale, n.y * scale, n.z * scale};
    const F4 circumradius = sqrt(dot(half, half));
    *slab_lo = (widen_u8(node.slab_lo) * kSlabStep - splat(1.0f)) * circumradius;
    *slab_hi = (widen_u8(node.slab_hi) * kSlabStep - splat(1.0f)) * circumradius;
    *radius = (widen_u8(node.radius) * kBoxStep) * circumradius;
}

// The same for one child, in scalar arithmetic that rounds alike.

inline float decode_slab(std::uint8_t q, float circumradius) {
    return (static_cast<float>(q) * kSlabStep - 1.0f) * circumradius;
}

inline float decode_radius(std::uint8_t q, float circumradius) {
    return (static_cast<float>(q) * kBoxStep) * circumradius;
}

/// Half the diagonal of a volume's box.
inline float circumradius_of(const AabbVolume& v) {
    float half[3];
    for (int k = 0; k < 3; ++k) half[k] = (v.hi[k] - v.lo[k]) * 0.5f;
    return std::sqrt((half[0] * half[0] + half[1] * half[1]) + half[2] * half[2]);
}

inline AabbVolume decode_child(const AabbNode& node, const AabbVolume& parent, unsigned child) {
    AabbVolume v;
    for (int k = 0; k < 3; ++k) {
        const float step = (parent.hi[k] - parent.lo[k]) * kBoxStep;
        v.lo[k] = decode_side(parent.lo[k], step, static_cast<float>(node.lo[4 * k + int(child)]));
        v.hi[k] = decode_side(parent.lo[k], step, static_cast<float>(node.hi[4 * k + int(child)]));
        v.normal[k] = static_cast<float>(node.normal[4 * k + int(child)]);
    }
    const float length2 = (v.normal[0] * v.normal[0] + v.normal[1] * v.normal[1]) + v.normal[2] * v.normal[2];
    const float scale = 1.0f / std::sqrt(length2 > 1.0f ? length2 : 1.0f);
    for (float& n : v.normal) n *= scale;
    const float circumradius = circumradius_of(v);
    v.slab_lo = decode_slab(node.slab_lo[child], circumradius);
    v.slab_hi = decode_slab(node.slab_hi[child], circumradius);
    v.radius = decode_radius(node.radius[child], circumradius);
    return v;
}

/// The root's volume: its box, and a slab that says nothing more.
inline AabbVolume root_volume(const AabbTreeView& tree) {
    AabbVolume v;
    float length2 = 0;
    for (int k = 0; k < 3; ++k) {
        v.lo[k] = tree.lo[k];
        v.hi[k] = tree.hi[k];
        v.normal[k] = 0;
        const float half = (v.hi[k] - v.lo[k]) * 0.5f;
        length2 += half * half;
    }
    v.normal[2] = 1;
    v.radius = std::sqrt(length2) * 1.000001f;
    v.slab_lo = -v.radius;
    v.slab_hi = v.radius;
    return v;
}

/// Where a child is: siblings lie together, so it follows from the kinds of those before it.
struct ChildPlace {
    std::uint32_t first;  ///< inner: node index; leaf: first leaf position
    std::uint32_t kind;   ///< kChildInner or the leaf's triangle count
};

inline ChildPlace place_of_child(const AabbNode& node, unsigned lane) {
    std::uint32_t inner = 0, triangles = 0;
    for (unsigned i = 0; i < lane; ++i) {
        if (node.kind[i] == kChildInner)
            ++inner;
        else
            triangles += node.kind[i];
    }
    const std::uint32_t kind = node.kind[lane];
    return {kind == kChildInner ? node.first_child + inner : node.first_triangle + triangles, kind};
}

/// Bits of the children present in a node.
inline unsigned present_children(const AabbNode& node) {
    return unsigned(node.kind[0] != 0) | unsigned(node.kind[1] != 0) << 1 | unsigned(node.kind[2] != 0) << 2 |
           unsigned(node.kind[3] != 0) << 3;
}

}  // namespace espalier
