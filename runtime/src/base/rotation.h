// SPDX-License-Identifier: MIT
// From unit quaternions to matrices.
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

}  // namespace espalier
