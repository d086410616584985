// SPDX-License-Identifier: MIT
// What the descents of two aabb trees share: the ends of the path, the roots, the children of a visit.
#pragma once

#include "overlap.h"

namespace espalier {

/// The end of the path on one side: a node, or a leaf's range of triangles.
struct PathEnd {
    const VolumeLanes* lanes;
    unsigned lane;
    std::uint32_t first;  ///< inner: node index; leaf: first leaf position
    std::uint32_t kind;   ///< kChildInner or the leaf's triangle count

    bool leaf() const { return kind != kChildInner; }
    float size() const { return lanes->size[lane]; }
};

/// Where a child is: siblings lie together, so it follows from the kinds of those before it.
struct ChildPlace {
    std::uint32_t first, kind;  ///< as in PathEnd
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

/// Packs the set lanes, two bits each, least key lowest.
inline void order_lanes(unsigned set, const float* keys, std::uint8_t* order, std::uint8_t* remaining) {
    unsigned sorted[4];
    unsigned count = 0;
    for (unsigned lane = 0; lane < 4; ++lane) {
        if (!(set >> lane & 1u)) continue;
        unsigned slot = count++;
        for (; slot > 0 && keys[sorted[slot - 1]] > keys[lane]; --slot) sorted[slot] = sorted[slot - 1];
        sorted[slot] = lane;
    }
    unsigned packed = 0;
    for (unsigned slot = 0; slot < count; ++slot) packed |= sorted[slot] << (2 * slot);
    *order = static_cast<std::uint8_t>(packed);
    *remaining = static_cast<std::uint8_t>(count);
}

inline unsigned take_lane(std::uint8_t* order, std::uint8_t* remaining) {
    const unsigned lane = *order & 3u;
    *order = static_cast<std::uint8_t>(*order >> 2);
    --*remaining;
    return lane;
}

/// A replaced volume: its children, those still to visit (two bits each, next one lowest) and what it
/// replaced.
struct PairVisit {
    VolumeLanes lanes;
    const AabbNode* node;
    PathEnd parent;
    std::uint8_t side;
    std::uint8_t remaining;
    std::uint8_t order;

    void set_order(unsigned hits, const float* keys) { order_lanes(hits, keys, &order, &remaining); }
    unsigned take_next() { return take_lane(&order, &remaining); }

    PathEnd child(unsigned lane) const {
        const ChildPlace place = place_of_child(*node, lane);
        return PathEnd{&lanes, lane, place.first, place.kind};
    }
};

/// The root's volume in all lanes.
template <int kSide>
inline PathEnd place_root(const AabbTreeView& tree, const PairFrame& frame, VolumeLanes* lanes) {
    const Volume v = root_volume(tree);
    Volumes4 four;
    four.lo = splat3(v.lo);
    four.hi = splat3(v.hi);
    const V4 center = {(four.lo.x + four.hi.x) * 0.5f, (four.lo.y + four.hi.y) * 0.5f,
                       (four.lo.z + four.hi.z) * 0.5f};
    four.half = {(four.hi.x - four.lo.x) * 0.5f, (four.hi.y - four.lo.y) * 0.5f,
                 (four.hi.z - four.lo.z) * 0.5f};
    place_centers<kSide>(center, frame, &four);
    four.normal = splat3(v.normal);
    four.slab_lo = splat(v.slab_lo);
    four.slab_hi = splat(v.slab_hi);
    four.radius = splat(v.radius);
    if constexpr (kSide == 1) turn_slabs(frame, &four);
    store_lanes(four, frame, kSide, lanes);
    return PathEnd{lanes, 0, 0, kChildInner};
}

/// Which side to descend: the larger volume, or the one that is not a leaf.
inline unsigned side_to_open(const PathEnd& a, const PathEnd& b) {
    return b.leaf() || (!a.leaf() && a.size() >= b.size()) ? 0 : 1;
}

inline unsigned count_bits(unsigned four) {
    return (0x4332322132212110u >> (4 * four)) & 7u;
}

}  // namespace espalier
