// SPDX-License-Identifier: MIT
// Intersecting triangles of a pair of leaves.
#pragma once

#include "leaf_pair.h"

namespace espalier {

/// The two meshes and trees of a pair query.
struct PairMeshes {
    MeshView mesh[2];
    AabbTreeView tree[2];
    double origin_a[3];

    void set(const ShapeView& a, const ShapeView& b) {
        mesh[0] = a.mesh;
        mesh[1] = b.mesh;
        tree[0] = a.aabb;
        tree[1] = b.aabb;
        for (int k = 0; k < 3; ++k) origin_a[k] = a.origin[k];
    }
};

/// Decides one pair of triangles in double precision; on a hit fills `contact`.
inline bool test_triangles(const PairMeshes& pair, const PairFrame& frame, std::uint32_t triangle_a,
                           std::uint32_t triangle_b, Contact* contact) {
    const Triangle3 a = exact_triangle_a(pair.mesh[0], triangle_a);
    const Triangle3 b = exact_triangle_b(pair.mesh[1], triangle_b, frame);
    if (!triangles_intersect(a, b)) return false;
    contact->triangle_a = triangle_a;
    contact->triangle_b = triangle_b;
    intersection_witness(a, b, contact->point, contact->normal);
    for (int k = 0; k < 3; ++k) contact->point[k] += pair.origin_a[k];
    return true;
}

/// Calls `found(contact)` for every intersecting pair of the two leaves until it returns true; returns
/// whether it did.
template <class Found>
inline bool for_leaf_contacts(const PairMeshes& pair, const PairFrame& frame, std::uint32_t first_a,
                              std::uint32_t count_a, std::uint32_t first_b, std::uint32_t count_b,
                              Counters* counters, Found found) {
    ++counters->leaf_pairs;
    counters->triangle_tests += std::uint64_t{count_a} * count_b;
    for (std::uint32_t j = 0; j < count_b; j += 4) {
        const unsigned lanes = count_b - j < 4 ? count_b - j : 4;
        const Triangles4 b = load_triangles4(pair.mesh[1], pair.tree[1], first_b + j, lanes, frame);
        for (std::uint32_t i = 0; i < count_a; ++i) {
            const std::uint32_t triangle_a = pair.tree[0].triangle_at(first_a + i);
            const unsigned open =
                ~surely_apart(load_filter_triangle(pair.mesh[0], triangle_a), b, frame.margin) &
                ((1u << lanes) - 1u);
            for (unsigned lane = 0; lane < lanes; ++lane) {
                if (!(open >> lane & 1u)) continue;
                ++counters->exact_tests;
                Contact contact;
                if (test_triangles(pair, frame, triangle_a, pair.tree[1].triangle_at(first_b + j + lane),
                                   &contact) &&
                    found(contact))
                    return true;
            }
        }
    }
    return false;
}

}  // namespace espalier
