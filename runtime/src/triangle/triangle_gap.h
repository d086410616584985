// SPDX-License-Identifier: MIT
// A tight lower bound of the distance of one triangle to four others in float: find nearly closest points,
// then project both triangles on the line through them. The points need no accuracy; the projection carries
// its own error bound. (Closest features after Ericson 2005, "Real-Time Collision Detection", 5.1.9.)
#pragma once

#include "../pair/leaf_pair.h"

namespace espalier {

/// Keeps, lane by lane, the shortest vector from A to B.
struct ShortestVector {
    F4 length2 = splat(3e38F);
    V4 vector = {splat(0.0F), splat(0.0F), splat(0.0F)};

    void offer(F4 other2, const V4& other) {
        const M4 shorter = length2 > other2;
        length2 = select(shorter, other2, length2);
        vector = select(shorter, other, vector);
    }
};

inline F4 clamp01(F4 x) {
    return min(max(x, splat(0.0F)), splat(1.0F));
}

constexpr float kTinyDivisor = 1e-36F;

/// Vector between nearly closest points of two segments p + s d and q + t e.
inline V4 segment_vector(const V4& p, const V4& d, F4 dd, const V4& q, const V4& e, F4 ee) {
    const V4 r = p - q;
    const F4 de = dot(d, e), dr = dot(d, r), er = dot(e, r);
    const F4 determinant = max(dd * ee - de * de, splat(kTinyDivisor));
    const F4 s0 = clamp01((de * er - dr * ee) / determinant);
    const F4 t = clamp01((de * s0 + er) / max(ee, splat(kTinyDivisor)));
    const F4 s = clamp01((de * t - dr) / max(dd, splat(kTinyDivisor)));
    return (q + e * t) - (p + d * s);
}

/// Triangle corners, edges and normal, and the inward edge normals times the normal's length.
struct GapTriangle {
    const V4* p;
    const V4* edge;
    V4 normal;
    F4 edge2[3];
    V4 inward[3];
    F4 normal2;
};

inline GapTriangle gap_triangle(const V4* p, const V4* edge, const V4& normal) {
    GapTriangle t;
    t.p = p;
    t.edge = edge;
    t.normal = normal;
    t.normal2 = max(dot(normal, normal), splat(kTinyDivisor));
    for (int i = 0; i < 3; ++i) {
        t.edge2[i] = dot(edge[i], edge[i]);
        t.inward[i] = cross(normal, edge[i]);
    }
    return t;
}

/// Vector from a corner to the plane of a face, where its foot lies inside; `sign` turns it into one from A
/// to B.
inline void offer_foot(const V4& corner, const GapTriangle& face, float sign, ShortestVector* shortest) {
    const V4 d = corner - face.p[0];
    const F4 zero = splat(0.0F);
    const M4 inside = (zero <= dot(face.inward[0], d)) & (zero <= dot(face.inward[1], corner - face.p[1])) &
                      (zero <= dot(face.inward[2], corner - face.p[2]));
    const F4 height = dot(face.normal, d) / face.normal2;
    const V4 vector = face.normal * (height * sign);
    shortest->offer(select(inside, dot(vector, vector), splat(3e38F)), vector);
}

/// Nearly the shortest vector from A's triangle to each of B's.
inline V4 nearly_shortest(const GapTriangle& a, const GapTriangle& b) {
    ShortestVector shortest;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const V4 v = segment_vector(a.p[i], a.edge[i], a.edge2[i], b.p[j], b.edge[j], b.edge2[j]);
            shortest.offer(dot(v, v), v);
        }
    for (int i = 0; i < 3; ++i) {
        offer_foot(a.p[i], b, -1.0F, &shortest);
        offer_foot(b.p[i], a, 1.0F, &shortest);
    }
    return shortest.vector;
}

}  // namespace espalier
