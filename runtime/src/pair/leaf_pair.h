// SPDX-License-Identifier: MIT
// The triangles of two leaves, four pairs at a time: a float filter that rejects only what is surely apart,
// and the double-precision test for the rest.
#pragma once

#include "../base/points4.h"
#include "../base/simd.h"
#include "../triangle/triangle_pair.h"
#include "espalier/query.h"
#include "pair_frame.h"

namespace espalier {

/// Four triangles of B in A's local frame, corner by corner.
struct Triangles4 {
    V4 p[3];
    V4 edge[3];
    V4 normal;
};

/// Gathers `count` (1..4) triangles of B starting at leaf position `first` and places them; spare lanes
/// repeat the last triangle.
inline Triangles4 load_triangles4(const MeshView& mesh, const AabbTreeView& tree, std::uint32_t first,
                                  unsigned count, const PairFrame& frame) {
    std::uint32_t triangle[4];
    for (unsigned lane = 0; lane < 4; ++lane)
        triangle[lane] = tree.triangle_at(first + (lane < count ? lane : count - 1));
    Triangles4 t;
    for (unsigned c = 0; c < 3; ++c) {
        const V4 local = points4(mesh.corner(triangle[0], c), mesh.corner(triangle[1], c),
                                 mesh.corner(triangle[2], c), mesh.corner(triangle[3], c));
        const V4 turned = transform(frame.m4, local);
        t.p[c] = {turned.x + frame.t4[0], turned.y + frame.t4[1], turned.z + frame.t4[2]};
    }
    for (unsigned c = 0; c < 3; ++c) t.edge[c] = t.p[(c + 1) % 3] - t.p[c];
    t.normal = cross(t.edge[0], t.edge[1]);
    return t;
}

/// One triangle of A as the filter wants it.
struct FilterTriangle {
    V4 p[3];
    V4 edge[3];
    V4 normal;
};

inline FilterTriangle load_filter_triangle(const MeshView& mesh, std::uint32_t triangle) {
    FilterTriangle t;
    for (unsigned c = 0; c < 3; ++c) t.p[c] = splat3(mesh.corner(triangle, c));
    for (unsigned c = 0; c < 3; ++c) t.edge[c] = t.p[(c + 1) % 3] - t.p[c];
    t.normal = cross(t.edge[0], t.edge[1]);
    return t;
}

/// Error of a projection on `axis` of points whose coordinates are off by `margin` in sum: see set_margins in
/// pair_frame.cpp. The tiny term keeps underflow from passing for certainty.
inline F4 axis_error(const V4& axis, float margin) {
    return abs_sum(axis) * margin + 1e-36F;
}

/// Lanes whose B triangle lies strictly on one side of A's along `axis`; A's corners project to a0..a2, all
/// relative to A's first corner.
inline M4 apart(F4 a_lo, F4 a_hi, F4 b0, F4 b1, F4 b2, F4 error) {
    const F4 b_lo = min(b0, min(b1, b2));
    const F4 b_hi = max(b0, max(b1, b2));
    return (b_lo > a_hi + error) | (a_lo > b_hi + error);
}

/// Bits of the lanes that are surely apart: both face normals, then the nine edge pairs.
/// Any axis may serve, however badly computed, since each projection carries its own error bound.
inline unsigned surely_apart(const FilterTriangle& a, const Triangles4& b, float margin) {
    const V4 d[3] = {b.p[0] - a.p[0], b.p[1] - a.p[0], b.p[2] - a.p[0]};
    const V4 a2 = a.p[2] - a.p[0];
    const F4 zero = splat(0.0F);
    M4 out;
    {
        // Along A's normal its own corners project to 0, edge[0] and a2 up to the error.
        const F4 p1 = dot(a.normal, a.edge[0]), p2 = dot(a.normal, a2);
        out = apart(min(zero, min(p1, p2)), max(zero, max(p1, p2)), dot(a.normal, d[0]), dot(a.normal, d[1]),
                    dot(a.normal, d[2]), axis_error(a.normal, margin));
    }
    {
        const F4 p1 = dot(b.normal, a.edge[0]), p2 = dot(b.normal, a2);
        out = out | apart(min(zero, min(p1, p2)), max(zero, max(p1, p2)), dot(b.normal, d[0]),
                          dot(b.normal, d[1]), dot(b.normal, d[2]), axis_error(b.normal, margin));
    }
    unsigned result = bits(out);
    for (unsigned i = 0; i < 3 && result != 15u; ++i)
        for (unsigned j = 0; j < 3; ++j) {
            const V4 axis = cross(a.edge[i], b.edge[j]);
            const F4 p1 = dot(axis, a.edge[0]), p2 = dot(axis, a2);
            result |= bits(apart(min(zero, min(p1, p2)), max(zero, max(p1, p2)), dot(axis, d[0]),
                                 dot(axis, d[1]), dot(axis, d[2]), axis_error(axis, margin)));
        }
    return result;
}

inline Triangle3 exact_triangle_a(const MeshView& mesh, std::uint32_t triangle) {
    Triangle3 t;
    for (unsigned c = 0; c < 3; ++c)
        for (unsigned k = 0; k < 3; ++k) t.p[c][k] = double(mesh.corner(triangle, c)[k]);
    return t;
}

inline Triangle3 exact_triangle_b(const MeshView& mesh, std::uint32_t triangle, const PairFrame& frame) {
    Triangle3 t;
    for (unsigned c = 0; c < 3; ++c) frame.place(mesh.corner(triangle, c), t.p[c]);
    return t;
}

}  // namespace espalier
