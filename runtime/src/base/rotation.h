// SPDX-License-Identifier: MIT
// Rotations by unit quaternions w x y z.
#pragma once

namespace espalier {

/// The rotation matrix of a unit quaternion w x y z, row by row.
inline void rotation_of(const double* q, double* r) {
    const double w = q[0];
    const double* v = q + 1;
    for (int i = 0; i < 3; ++i) {
        const int j = i < 2 ? i + 1 : 0, k = i > 0 ? i - 1 : 2;
        r[3 * i + i] = 1 - 2 * (v[j] * v[j] + v[k] * v[k]);
        r[3 * i + j] = 2 * (v[i] * v[j] - w * v[k]);
        r[3 * i + k] = 2 * (v[i] * v[k] + w * v[j]);
    }
}

/// v + w t + u x t with t = 2 u x v, for the quaternion (w, u). `turned` may be `v`.
inline void turn(const double* q, const double* v, double* turned) {
    const double t[3] = {2 * (q[2] * v[2] - q[3] * v[1]), 2 * (q[3] * v[0] - q[1] * v[2]),
                         2 * (q[1] * v[1] - q[2] * v[0])};
    const double x = v[0] + q[0] * t[0] + (q[2] * t[2] - q[3] * t[1]);
    const double y = v[1] + q[0] * t[1] + (q[3] * t[0] - q[1] * t[2]);
    const double z = v[2] + q[0] * t[2] + (q[1] * t[1] - q[2] * t[0]);
    turned[0] = x;
    turned[1] = y;
    turned[2] = z;
}

/// By the inverse rotation.
inline void turn_back(const double* q, const double* v, double* turned) {
    const double inverse[4] = {q[0], -q[1], -q[2], -q[3]};
    turn(inverse, v, turned);
}

/// a * b, which turns by b first. `out` may be `a`. Never inlined: where g++ 12 sees that the numbers do not
/// overlap, it fuses these multiplications and additions for processors that can, whatever -ffp-contract
/// says, and the bits are others.
__attribute__((noinline)) inline void product(const double* a, const double* b, double* out) {
    const double w = a[0], x = a[1], y = a[2], z = a[3];
    out[0] = w * b[0] - x * b[1] - y * b[2] - z * b[3];
    out[1] = w * b[1] + x * b[0] + y * b[3] - z * b[2];
    out[2] = w * b[2] - x * b[3] + y * b[0] + z * b[1];
    out[3] = w * b[3] + x * b[2] - y * b[1] + z * b[0];
}

inline double squared_length(const double* q) {
    return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
}

}  // namespace espalier
