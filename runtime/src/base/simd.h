// SPDX-License-Identifier: MIT
// Four floats at a time: SSE2, NEON (64 bit) or plain C++ (ESPALIER_NO_SIMD). All three round alike, lane by
// lane, so every build gives the same answers.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#if !defined(ESPALIER_NO_SIMD) && defined(__SSE2__)
#define ESPALIER_SSE2 1
#include <emmintrin.h>
#elif !defined(ESPALIER_NO_SIMD) && defined(__aarch64__)
#define ESPALIER_NEON 1
#include <arm_neon.h>
#endif

namespace espalier {

#if defined(ESPALIER_SSE2)

struct F4 {
    __m128 v;
};
/// All bits of a lane set or clear.
struct M4 {
    __m128 v;
};

inline F4 splat(float x) {
    return {_mm_set1_ps(x)};
}
inline F4 load4(const float* p) {
    return {_mm_loadu_ps(p)};
}
inline void store4(float* p, F4 a) {
    _mm_storeu_ps(p, a.v);
}
inline F4 operator+(F4 a, F4 b) {
    return {_mm_add_ps(a.v, b.v)};
}
inline F4 operator-(F4 a, F4 b) {
    return {_mm_sub_ps(a.v, b.v)};
}
inline F4 operator*(F4 a, F4 b) {
    return {_mm_mul_ps(a.v, b.v)};
}
inline F4 operator/(F4 a, F4 b) {
    return {_mm_div_ps(a.v, b.v)};
}
inline F4 min(F4 a, F4 b) {
    return {_mm_min_ps(a.v, b.v)};
}
inline F4 max(F4 a, F4 b) {
    return {_mm_max_ps(a.v, b.v)};
}
inline F4 abs(F4 a) {
    return {_mm_andnot_ps(_mm_set1_ps(-0.0f), a.v)};
}
inline F4 sqrt(F4 a) {
    return {_mm_sqrt_ps(a.v)};
}
inline M4 operator<=(F4 a, F4 b) {
    return {_mm_cmple_ps(a.v, b.v)};
}
inline M4 operator>(F4 a, F4 b) {
    return {_mm_cmpgt_ps(a.v, b.v)};
}
inline M4 operator&(M4 a, M4 b) {
    return {_mm_and_ps(a.v, b.v)};
}
inline M4 operator|(M4 a, M4 b) {
    return {_mm_or_ps(a.v, b.v)};
}
inline unsigned bits(M4 m) {
    return static_cast<unsigned>(_mm_movemask_ps(m.v));
}
/// a where the mask is set, b elsewhere.
inline F4 select(M4 m, F4 a, F4 b) {
    return {_mm_or_ps(_mm_and_ps(m.v, a.v), _mm_andnot_ps(m.v, b.v))};
}
inline F4 widen_u8(const std::uint8_t* p) {
    std::int32_t packed;
    std::memcpy(&packed, p, 4);
    const __m128i zero = _mm_setzero_si128();
    const __m128i words = _mm_unpacklo_epi8(_mm_cvtsi32_si128(packed), zero);
    return {_mm_cvtepi32_ps(_mm_unpacklo_epi16(words, zero))};
}
inline F4 widen_s8(const std::int8_t* p) {
    std::int32_t packed;
    std::memcpy(&packed, p, 4);
    __m128i bytes = _mm_cvtsi32_si128(packed);
    bytes = _mm_unpacklo_epi8(bytes, bytes);
    bytes = _mm_unpacklo_epi16(bytes, bytes);
    return {_mm_cvtepi32_ps(_mm_srai_epi32(bytes, 24))};
}

#elif defined(ESPALIER_NEON)

struct F4 {
    float32x4_t v;
};
struct M4 {
    uint32x4_t v;
};

inline F4 splat(float x) {
    return {vdupq_n_f32(x)};
}
inline F4 load4(const float* p) {
    return {vld1q_f32(p)};
}
inline void store4(float* p, F4 a) {
    vst1q_f32(p, a.v);
}
inline F4 operator+(F4 a, F4 b) {
    return {vaddq_f32(a.v, b.v)};
}
inline F4 operator-(F4 a, F4 b) {
    return {vsubq_f32(a.v, b.v)};
}
inline F4 operator*(F4 a, F4 b) {
    return {vmulq_f32(a.v, b.v)};
}
inline F4 operator/(F4 a, F4 b) {
    return {vdivq_f32(a.v, b.v)};
}
inline F4 min(F4 a, F4 b) {
    return {vbslq_f32(vcltq_f32(a.v, b.v), a.v, b.v)};
}
inline F4 max(F4 a, F4 b) {
    return {vbslq_f32(vcgtq_f32(a.v, b.v), a.v, b.v)};
}
inline F4 abs(F4 a) {
    return {vabsq_f32(a.v)};
}
inline F4 sqrt(F4 a) {
    return {vsqrtq_f32(a.v)};
}
inline M4 operator<=(F4 a, F4 b) {
    return {vcleq_f32(a.v, b.v)};
}
inline M4 operator>(F4 a, F4 b) {
    return {vcgtq_f32(a.v, b.v)};
}
inline M4 operator&(M4 a, M4 b) {
    return {vandq_u32(a.v, b.v)};
}
inline M4 operator|(M4 a, M4 b) {
    return {vorrq_u32(a.v, b.v)};
}
inline F4 select(M4 m, F4 a, F4 b) {
    return {vbslq_f32(m.v, a.v, b.v)};
}
inline unsigned bits(M4 m) {
    static const std::uint32_t kWeights[4] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(m.v, vld1q_u32(kWeights)));
}
inline F4 widen_u8(const std::uint8_t* p) {
    const float lanes[4] = {float(p[0]), float(p[1]), float(p[2]), float(p[3])};
    return load4(lanes);
}
inline F4 widen_s8(const std::int8_t* p) {
    const float lanes[4] = {float(p[0]), float(p[1]), float(p[2]), float(p[3])};
    return load4(lanes);
}

#else

/// Where code is made small, four lanes of scalar code are too much to repeat at every use: it saves a tenth
/// of the whole and half of the largest stack frames.
#if defined(__OPTIMIZE_SIZE__)
#define ESPALIER_LANES __attribute__((noinline)) inline
#else
#define ESPALIER_LANES inline
#endif

struct F4 {
    float v[4];
};
struct M4 {
    bool v[4];
};

template <class F>
inline F4 lanes(F f) {
    return {{f(0), f(1), f(2), f(3)}};
}
inline F4 splat(float x) {
    return {{x, x, x, x}};
}
inline F4 load4(const float* p) {
    return {{p[0], p[1], p[2], p[3]}};
}
inline void store4(float* p, F4 a) {
    std::memcpy(p, a.v, sizeof(a.v));
}
ESPALIER_LANES F4 operator+(F4 a, F4 b) {
    return lanes([&](int i) { return a.v[i] + b.v[i]; });
}
ESPALIER_LANES F4 operator-(F4 a, F4 b) {
    return lanes([&](int i) { return a.v[i] - b.v[i]; });
}
ESPALIER_LANES F4 operator*(F4 a, F4 b) {
    return lanes([&](int i) { return a.v[i] * b.v[i]; });
}
ESPALIER_LANES F4 operator/(F4 a, F4 b) {
    return lanes([&](int i) { return a.v[i] / b.v[i]; });
}
ESPALIER_LANES F4 min(F4 a, F4 b) {
    return lanes([&](int i) { return a.v[i] < b.v[i] ? a.v[i] : b.v[i]; });
}
ESPALIER_LANES F4 max(F4 a, F4 b) {
    return lanes([&](int i) { return a.v[i] > b.v[i] ? a.v[i] : b.v[i]; });
}
inline F4 abs(F4 a) {
    return lanes([&](int i) { return std::fabs(a.v[i]); });
}
inline F4 sqrt(F4 a) {
    return lanes([&](int i) { return std::sqrt(a.v[i]); });
}
inline M4 operator<=(F4 a, F4 b) {
    return {{a.v[0] <= b.v[0], a.v[1] <= b.v[1], a.v[2] <= b.v[2], a.v[3] <= b.v[3]}};
}
inline M4 operator>(F4 a, F4 b) {
    return {{a.v[0] > b.v[0], a.v[1] > b.v[1], a.v[2] > b.v[2], a.v[3] > b.v[3]}};
}
inline M4 operator&(M4 a, M4 b) {
    return {{a.v[0] && b.v[0], a.v[1] && b.v[1], a.v[2] && b.v[2], a.v[3] && b.v[3]}};
}
inline M4 operator|(M4 a, M4 b) {
    return {{a.v[0] || b.v[0], a.v[1] || b.v[1], a.v[2] || b.v[2], a.v[3] || b.v[3]}};
}
inline F4 select(M4 m, F4 a, F4 b) {
    return lanes([&](int i) { return m.v[i] ? a.v[i] : b.v[i]; });
}
inline unsigned bits(M4 m) {
    return unsigned(m.v[0]) | unsigned(m.v[1]) << 1 | unsigned(m.v[2]) << 2 | unsigned(m.v[3]) << 3;
}
ESPALIER_LANES F4 widen_u8(const std::uint8_t* p) {
    return lanes([&](int i) { return static_cast<float>(p[i]); });
}
ESPALIER_LANES F4 widen_s8(const std::int8_t* p) {
    return lanes([&](int i) { return static_cast<float>(p[i]); });
}

#endif

inline F4 operator+(F4 a, float b) {
    return a + splat(b);
}
inline F4 operator*(F4 a, float b) {
    return a * splat(b);
}

/// Three coordinates of four things.
struct V4 {
    F4 x, y, z;
};
inline V4 operator-(const V4& a, const V4& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline F4 dot(const V4& a, const V4& b) {
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}
inline V4 cross(const V4& a, const V4& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline V4 operator+(const V4& a, const V4& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline V4 operator*(const V4& a, F4 s) {
    return {a.x * s, a.y * s, a.z * s};
}
inline V4 select(M4 m, const V4& a, const V4& b) {
    return {select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z)};
}
inline V4 splat3(const float* p) {
    return {splat(p[0]), splat(p[1]), splat(p[2])};
}
inline void store12(float (*p)[4], const V4& a) {
    store4(p[0], a.x);
    store4(p[1], a.y);
    store4(p[2], a.z);
}
/// One lane of three arrays, in all lanes.
inline V4 lane_of(const float (*array)[4], unsigned lane) {
    return {splat(array[0][lane]), splat(array[1][lane]), splat(array[2][lane])};
}
inline F4 abs_sum(const V4& a) {
    return (abs(a.x) + abs(a.y)) + abs(a.z);
}

/// Rows of a 3x3 matrix (row major, splatted) times each of four vectors.
inline V4 transform(const F4* m, const V4& a) {
    return {(a.x * m[0] + a.y * m[1]) + a.z * m[2], (a.x * m[3] + a.y * m[4]) + a.z * m[5],
            (a.x * m[6] + a.y * m[7]) + a.z * m[8]};
}

}  // namespace espalier
