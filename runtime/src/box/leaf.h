// SPDX-License-Identifier: MIT
// Intersecting triangles of a pair of box-tree leaves. Leaves are full, so most of their triangle pairs are
// far apart: boxes of the triangles come first, then the filters and the exact test that all trees share.
#pragma once

#include "../base/bits.h"
#include "../pair/leaf_boxes.h"
#include "../pair/leaf_contacts.h"
#include "lanes.h"

namespace espalier {

/// A leaf: its triangles by leaf position, and its box along A's axes.
struct BoxLeaf {
    std::uint32_t first, count;
    float lo[3], hi[3];
};

template <Overlap kOverlap>
inline BoxLeaf box_leaf(const BoxLanes<kOverlap>& lanes, unsigned lane, std::uint32_t leaf_triangles,
                        std::uint32_t triangle_count) {
    BoxLeaf leaf;
    leaf.first = lanes.range[lane].first * leaf_triangles;
    const std::uint32_t rest = triangle_count - leaf.first;
    leaf.count = rest < leaf_triangles ? rest : leaf_triangles;
    for (unsigned k = 0; k < 3; ++k) {
        leaf.lo[k] = lanes.lo[k][lane];
        leaf.hi[k] = lanes.hi[k][lane];
    }
    return leaf;
}

/// The trees of a box query in the form that the shared leaf tests take.
inline PairMeshes box_pair_meshes(const ShapeView& a, const ShapeView& b) {
    PairMeshes pair;
    pair.set(a, b);
    pair.tree[0].triangle_order = a.box.triangle_order;
    pair.tree[1].triangle_order = b.box.triangle_order;
    return pair;
}

/// Calls `found(contact)` for every intersecting pair of the two leaves until it returns true; returns
/// whether it did.
template <class Found>
inline bool for_box_leaf_contacts(const PairMeshes& pair, const PairFrame& frame, const BoxLeaf& a,
                                  const BoxLeaf& b, Counters* counters, Found found) {
    ++counters->leaf_pairs;
    const Boxes4 leaf_a = {splat3(a.lo), splat3(a.hi)};
    for (std::uint32_t j = 0; j < b.count; j += 4) {
        const unsigned lanes = b.count - j < 4 ? b.count - j : 4;
        const Triangles4 four = load_triangles4(pair.mesh[1], pair.tree[1], b.first + j, lanes, frame);
        const Boxes4 four_boxes = corners_box(four.p[0], four.p[1], four.p[2]);
        const unsigned near = boxes_meet(leaf_a, four_boxes, frame.margin) & ((1u << lanes) - 1u);
        for (std::uint32_t i = 0; near && i < a.count; ++i) {
            const std::uint32_t triangle_a = pair.tree[0].triangle_at(a.first + i);
            const FilterTriangle one = load_filter_triangle(pair.mesh[0], triangle_a);
            unsigned open =
                boxes_meet(corners_box(one.p[0], one.p[1], one.p[2]), four_boxes, frame.margin) & near;
            if (!open) continue;
            counters->triangle_tests += count_bits(open);
            open &= ~surely_apart(one, four, frame.margin);
            for (unsigned lane = 0; open >> lane; ++lane) {
                if (!(open >> lane & 1u)) continue;
                ++counters->exact_tests;
                Contact contact;
                if (test_triangles(pair, frame, triangle_a, pair.tree[1].triangle_at(b.first + j + lane),
                                   &contact) &&
                    found(contact))
                    return true;
            }
        }
    }
    return false;
}

}  // namespace espalier
