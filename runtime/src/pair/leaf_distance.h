// SPDX-License-Identifier: MIT
// The nearest triangles of a pair of leaves: a float bound for four pairs at a time, double precision for
// those that may be nearer than the best so far.
#pragma once

#include "../base/rounding.h"
#include "../triangle/triangle_gap.h"
#include "leaf_contacts.h"

namespace espalier {

/// The nearest pair of triangles found.
struct NearestPair {
    double distance;
    std::uint32_t triangle[2];
    double point[2][3];  ///< in A's local frame
    float axis[3];       ///< unit direction between the points: separates most of the neighbours too
};

/// Lower bound of the distance along one axis of any length.
inline F4 axis_bound(const V4& axis, F4 a_lo, F4 a_hi, F4 b0, F4 b1, F4 b2, float margin) {
    const F4 b_lo = min(b0, min(b1, b2));
    const F4 b_hi = max(b0, max(b1, b2));
    const F4 gap = max(b_lo - a_hi, a_lo - b_hi) - axis_error(axis, margin);
    return gap / sqrt(max(dot(axis, axis), splat(1e-36f)));
}

/// Lower bounds of the distances of A's triangle to four of B along one axis.
inline F4 bounds_along(const V4& axis, const FilterTriangle& a, const Triangles4& b, float margin) {
    const V4 a2 = a.p[2] - a.p[0];
    const F4 zero = splat(0.0f);
    const F4 p1 = dot(axis, a.edge[0]), p2 = dot(axis, a2);
    return axis_bound(axis, min(zero, min(p1, p2)), max(zero, max(p1, p2)), dot(axis, b.p[0] - a.p[0]),
                      dot(axis, b.p[1] - a.p[0]), dot(axis, b.p[2] - a.p[0]), margin) *
           0.999999f;
}

/// Bits of the B triangles that may be nearer than `limit` to A's. Axes in the order of their cost: the
/// direction of the best pair so far, between the centroids, the normals; then, if any is left, nearly the
/// shortest vector.
inline unsigned maybe_nearer(const FilterTriangle& a, const Triangles4& b, const float* best_axis,
                             float limit, float margin) {
    const F4 limits = splat(limit);
    const V4 centroids = (b.p[0] + b.p[1] + b.p[2]) - (a.p[0] + a.p[1] + a.p[2]);
    unsigned left = bits(
        max(bounds_along(splat3(best_axis), a, b, margin), bounds_along(centroids, a, b, margin)) <= limits);
    if (!left) return 0;
    left &= bits(max(bounds_along(a.normal, a, b, margin), bounds_along(b.normal, a, b, margin)) <= limits);
    if (!left) return 0;
    const V4 shortest =
        nearly_shortest(gap_triangle(a.p, a.edge, a.normal), gap_triangle(b.p, b.edge, b.normal));
    return left & bits(bounds_along(shortest, a, b, margin) <= limits);
}

/// Improves `best` by the triangles of two leaves.
inline void improve_by_leaves(const PairMeshes& pair, const PairFrame& frame, std::uint32_t first_a,
                              std::uint32_t count_a, std::uint32_t first_b, std::uint32_t count_b,
                              Counters* counters, NearestPair* best) {
    ++counters->leaf_pairs;
    counters->triangle_tests += std::uint64_t{count_a} * count_b;
    for (std::uint32_t j = 0; j < count_b; j += 4) {
        const unsigned lanes = count_b - j < 4 ? count_b - j : 4;
        const Triangles4 b = load_triangles4(pair.mesh[1], pair.tree[1], first_b + j, lanes, frame);
        for (std::uint32_t i = 0; i < count_a; ++i) {
            const std::uint32_t triangle_a = pair.tree[0].triangle_at(first_a + i);
            const FilterTriangle a = load_filter_triangle(pair.mesh[0], triangle_a);
            const unsigned near = maybe_nearer(a, b, best->axis, upward(best->distance), frame.margin);
            for (unsigned lane = 0; lane < lanes; ++lane) {
                if (!(near >> lane & 1u)) continue;
                ++counters->exact_tests;
                const std::uint32_t triangle_b = pair.tree[1].triangle_at(first_b + j + lane);
                double point[2][3];
                const double distance =
                    triangle_distance(exact_triangle_a(pair.mesh[0], triangle_a),
                                      exact_triangle_b(pair.mesh[1], triangle_b, frame), point[0], point[1]);
                if (!(distance < best->distance)) continue;
                best->distance = distance;
                best->triangle[0] = triangle_a;
                best->triangle[1] = triangle_b;
                for (int k = 0; k < 3; ++k) {
                    best->point[0][k] = point[0][k];
                    best->point[1][k] = point[1][k];
                    best->axis[k] =
                        distance > 0 ? static_cast<float>((point[1][k] - point[0][k]) / distance) : 0.0f;
                }
            }
        }
    }
}

}  // namespace espalier
