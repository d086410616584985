// SPDX-License-Identifier: MIT
// Ray against triangle in double precision, watertight: two triangles that share an edge compute exactly
// opposite signs for it, so a ray never slips between them (the sign argument of Woop et al. 2013,
// "Watertight Ray/Triangle Intersection").
#pragma once

#include "../base/assert.h"
#include "triangle_pair.h"

namespace espalier {

/// Signed volumes of the ray with the three edges. All of one sign: the line meets the triangle.
struct EdgeSides {
    double side[3];

    bool crosses() const {
        return (side[0] >= 0 && side[1] >= 0 && side[2] >= 0) ||
               (side[0] <= 0 && side[1] <= 0 && side[2] <= 0);
    }
    bool on_edge() const { return side[0] == 0 || side[1] == 0 || side[2] == 0; }
    double sum() const { return side[0] + side[1] + side[2]; }
};

/// cross(a, b) is exactly -cross(b, a), so a shared edge gets exactly opposite values.
inline EdgeSides edge_sides(const Triangle3& t, const double* origin, const double* direction) {
    double p[3][3];
    for (int c = 0; c < 3; ++c)
        for (int k = 0; k < 3; ++k) p[c][k] = t.p[c][k] - origin[k];
    EdgeSides s;
    for (int c = 0; c < 3; ++c) {
        const double *a = p[c], *b = p[(c + 1) % 3];
        s.side[c] = direction[0] * (a[1] * b[2] - a[2] * b[1]) + direction[1] * (a[2] * b[0] - a[0] * b[2]) +
                    direction[2] * (a[0] * b[1] - a[1] * b[0]);
    }
    return s;
}

/// Parameter of the crossing with the triangle's plane: the corners' parameters weighted by the opposite
/// edges. Precondition: sum() != 0.
inline double crossing_parameter(const Triangle3& t, const EdgeSides& s, const double* origin,
                                 const double* direction) {
    ESPALIER_ASSERT(s.sum() != 0);
    double along = 0, length2 = 0;
    for (int k = 0; k < 3; ++k) {
        const double point = (s.side[1] * (t.p[0][k] - origin[k]) + s.side[2] * (t.p[1][k] - origin[k]) +
                              s.side[0] * (t.p[2][k] - origin[k])) /
                             s.sum();
        along += point * direction[k];
        length2 += direction[k] * direction[k];
    }
    return along / length2;
}

}  // namespace espalier
