// SPDX-License-Identifier: MIT
// From double to float without losing the side on which a bound lies, and numbers that are none.
#pragma once

namespace espalier {

/// A float not below `x`, for comparisons with float bounds; a huge finite one where float has none.
inline float upward(double x) {
    return x < 3e38 ? static_cast<float>(x * (1 + 1e-6)) : 3e38f;
}

inline bool finite(float x) {
    return x - x == 0.0f;
}

/// True when all three numbers are finite.
inline bool finite3(const double* v) {
    return (v[0] - v[0]) + (v[1] - v[1]) + (v[2] - v[2]) == 0;
}

}  // namespace espalier
