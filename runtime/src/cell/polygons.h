// SPDX-License-Identifier: MIT
// Polygons of one leaf against those of another. Two polygons meet if and only if an edge of one meets the
// other, so for a first witness it is enough to look for a pair of polygons and to name its edge: there are
// five times fewer pairs of polygons than of edges and polygons both ways.
#pragma once

#include "leaf.h"

namespace espalier {

/// Polygons of a leaf that reach into what it shares with another, a batch at a time.
struct NearPolygons {
    static constexpr unsigned kMost = 16;
    std::uint32_t triangle[kMost];
    float lo[kMost][4], hi[kMost][4];  ///< boxes
    unsigned count = 0;

    /// Takes those of `number` listed triangles from `next` on that meet `shared`, until it is full; moves
    /// `next` behind the last that it looked at.
    void take(const MeshView& mesh, const std::uint32_t* listed, std::uint32_t number, std::uint32_t* next,
              const SharedBox& shared) {
        count = 0;
        for (; *next < number && count < kMost; ++*next) {
            const std::uint32_t t = listed[*next];
            const PointsBox box(mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2));
            triangle[count] = t;
            store4(lo[count], box.lo);
            store4(hi[count], box.hi);
            count += shared.meets(box) ? 1u : 0u;
        }
    }
};

/// Calls `test(triangle_a, triangle_b)` on pairs of near polygons that the filters leave.
template <class Test>
__attribute__((noinline)) bool test_polygons(const CellParts& parts, const PairFrame& frame,
                                             const NearPolygons& a, const NearPolygons& b, Counters* counters,
                                             Test test) {
    AabbTreeView order_b;
    order_b.triangle_order = b.triangle;
    for (unsigned j = 0; j < b.count; j += 4) {
        const unsigned lanes = b.count - j < 4 ? b.count - j : 4;
        const Triangles4 four = load_triangles4(parts.pair.mesh[1], order_b, j, lanes, frame);
        const Boxes4 boxes = corners_box(four.p[0], four.p[1], four.p[2]);
        for (unsigned i = 0; i < a.count; ++i) {
            unsigned open = boxes_meet({splat3(a.lo[i]), splat3(a.hi[i])}, boxes, frame.margin);
            open &= (1u << lanes) - 1u;
            if (!open) continue;
            counters->triangle_tests += count_bits(open);
            open &=
                ~surely_apart(load_filter_triangle(parts.pair.mesh[0], a.triangle[i]), four, frame.margin);
            for (unsigned lane = 0; open >> lane; ++lane) {
                if (!(open >> lane & 1u)) continue;
                ++counters->exact_tests;
                if (test(a.triangle[i], b.triangle[j + lane])) return true;
            }
        }
    }
    return false;
}

/// Calls `test(triangle_a, triangle_b)` on every pair of polygons that may have a common point in both
/// leaves, until it returns true; returns whether it did.
template <class Test>
inline bool for_polygon_pairs(const CellParts& parts, const PairFrame& frame, const InverseFrame& inverse,
                              const WalkedLeaf& a, const WalkedLeaf& b, Counters* counters, Test test) {
    ++counters->leaf_pairs;
    const SharedBox shared_a(a.cell, b.in_a, frame.margin);
    const SharedBox shared_b(b.cell, enclose_in_b(a.cell, inverse),
                             static_cast<float>(inverse.largest_margin()));
    const std::uint32_t* listed_a = parts.tree[0].triangles + a.lists.first_triangle;
    const std::uint32_t* listed_b = parts.tree[1].triangles + b.lists.first_triangle;
    NearPolygons near_a, near_b;
    for (std::uint32_t i = 0; i < a.lists.triangle_count;) {
        near_a.take(parts.pair.mesh[0], listed_a, a.lists.triangle_count, &i, shared_a);
        for (std::uint32_t j = 0; near_a.count > 0 && j < b.lists.triangle_count;) {
            near_b.take(parts.pair.mesh[1], listed_b, b.lists.triangle_count, &j, shared_b);
            if (near_b.count > 0 && test_polygons(parts, frame, near_a, near_b, counters, test)) return true;
        }
    }
    return false;
}

/// Whether a pair of polygons meets, in double precision; on a hit fills `witness` with the first of A's
/// edges that does, else of B's.
inline bool polygon_witness(const CellParts& parts, const PairFrame& frame, std::uint32_t triangle_a,
                            std::uint32_t triangle_b, CellWitness* witness) {
    const Triangle3 polygon[2] = {exact_triangle_a(parts.pair.mesh[0], triangle_a),
                                  exact_triangle_b(parts.pair.mesh[1], triangle_b, frame)};
    if (!triangles_intersect(polygon[0], polygon[1])) return false;
    const std::uint32_t name[2] = {triangle_a, triangle_b};
    for (unsigned side = 0; side < 2; ++side)
        for (unsigned corner = 0; corner < 3; ++corner) {
            Triangle3 edge;
            for (unsigned c = 0; c < 3; ++c)
                for (unsigned k = 0; k < 3; ++k)
                    edge.p[c][k] = polygon[side].p[c == 0 ? corner : (corner + 1) % 3][k];
            if (!edge_meets(edge, polygon[1 - side], parts.pair.origin_a, witness)) continue;
            witness->edge_side = side;
            witness->edge_triangle = name[side];
            witness->edge_corner = corner;
            witness->triangle = name[1 - side];
            return true;
        }
    return false;
}

}  // namespace espalier
