// SPDX-License-Identifier: MIT
// From double to float without losing the side on which a bound lies, and numbers that are none.
#pragma once

#include <cmath>

namespace espalier {

/// A float not below `x`, for comparisons with float bounds; a huge finite one where float has none.
inline float upward(double x) {
    return x < 3e38 ? static_cast<float>(x * (1 + 1e-6)) : 3e38F;
}

/// A float not above `x`.
inline float downward(double x) {
    if (x > 3e38) return 3e38F;
    if (x < -3e38) return -__builtin_huge_valf();
    const float f = static_cast<float>(x);
    return double(f) <= x ? f : f - std::fabs(f) * 1.2e-7F - 1e-44F;
}

inline bool finite(float x) {
    return x - x == 0.0F;
}

/// True when all three numbers are finite.
inline bool finite3(const double* v) {
    return (v[0] - v[0]) + (v[1] - v[1]) + (v[2] - v[2]) == 0;
}

}  // namespace espalier
