// SPDX-License-Identifier: MIT
// Points of three floats in vectors, read without touching the float behind them and without a detour by way
// of memory, where a vector read right behind the scalar writes that it needs would have to wait for them.
#pragma once

#include "simd.h"

namespace espalier {

/// A point in one vector; the last lane is 0.
inline F4 point4(const float* p) {
#if defined(ESPALIER_SSE2)
    const __m128 xy = _mm_loadl_pi(_mm_setzero_ps(), reinterpret_cast<const __m64*>(p));
    return {_mm_movelh_ps(xy, _mm_load_ss(p + 2))};
#elif defined(ESPALIER_NEON)
    return {vcombine_f32(vld1_f32(p), vld1_lane_f32(p + 2, vdup_n_f32(0.0F), 0))};
#else
    const float lanes[4] = {p[0], p[1], p[2], 0.0F};
    return load4(lanes);
#endif
}

/// Four points, one a lane.
inline V4 points4(const float* p, const float* q, const float* r, const float* s) {
#if defined(ESPALIER_SSE2)
    const __m128 a = point4(p).v, b = point4(q).v, c = point4(r).v, d = point4(s).v;
    const __m128 ab = _mm_unpacklo_ps(a, b), cd = _mm_unpacklo_ps(c, d);  // x x y y
    return {{_mm_movelh_ps(ab, cd)},
            {_mm_movehl_ps(cd, ab)},
            {_mm_movelh_ps(_mm_unpackhi_ps(a, b), _mm_unpackhi_ps(c, d))}};
#else
    const float x[4] = {p[0], q[0], r[0], s[0]};
    const float y[4] = {p[1], q[1], r[1], s[1]};
    const float z[4] = {p[2], q[2], r[2], s[2]};
    return {load4(x), load4(y), load4(z)};
#endif
}

}  // namespace espalier
