// SPDX-License-Identifier: MIT
// Choosing the bytes of an aabb node, outward: every byte is picked by decoding it, so what is proved here
// holds for what queries see. Used by the builder and by refit.
#pragma once

#include "codec.h"

namespace espalier {

/// How far the points of a volume reach along a direction, about the box centre, and across it.
struct SlabFit {
    double lo, hi, radius;
};

/// NaN becomes 0.
inline int clamp_byte(double q) {
    return q >= 0 ? (q > 255 ? 255 : static_cast<int>(q)) : 0;
}

/// Box of child `lane`: the tightest bytes whose decoded box contains [lo, hi].
inline void quantize_box(const float* lo, const float* hi, const AabbVolume& parent, unsigned lane,
                         AabbNode* node) {
    float step[3];
    box_steps(parent, step);
    for (unsigned k = 0; k < 3; ++k) {
        const auto decode = [&](int q) { return decode_side(parent.lo[k], step[k], static_cast<float>(q)); };
        const bool flat = !(step[k] > 0);
        int q_lo = flat ? 0 : clamp_byte(double((lo[k] - parent.lo[k]) / step[k]) + 1);
        while (q_lo > 0 && decode(q_lo) > lo[k]) --q_lo;
        int q_hi = flat ? 0 : clamp_byte(double((hi[k] - parent.lo[k]) / step[k]) - 1);
        while (q_hi < 255 && decode(q_hi) < hi[k]) ++q_hi;
        node->lo[4 * k + lane] = static_cast<std::uint8_t>(q_lo);
        node->hi[4 * k + lane] = static_cast<std::uint8_t>(q_hi);
    }
}

/// An absent child: an inverted box.
inline void quantize_absent(unsigned lane, AabbNode* node) {
    for (unsigned k = 0; k < 3; ++k) {
        node->lo[4 * k + lane] = 255;
        node->hi[4 * k + lane] = 0;
    }
}

/// Slab direction of child `lane`; `direction` of any length. Zero becomes the z axis.
inline void quantize_direction(const double* direction, unsigned lane, AabbNode* node) {
    double largest = 0;
    for (unsigned k = 0; k < 3; ++k)
        largest = std::fabs(direction[k]) > largest ? std::fabs(direction[k]) : largest;
    for (unsigned k = 0; k < 3; ++k) {
        const double scaled = largest > 0 ? direction[k] / largest * 127.0 : (k == 2 ? 127.0 : 0.0);
        node->normal[4 * k + lane] = static_cast<std::int8_t>(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
    }
}

/// Interval and radius of child `lane`: the tightest bytes that contain `fit`.
/// @param circumradius of the child's decoded box
inline void quantize_slab(const SlabFit& fit, float circumradius, unsigned lane, AabbNode* node) {
    const double full = double(decode_slab(255, circumradius));
    const double r = full > 0 ? full : 1e-300;
    const auto guess = [](double q) { return static_cast<std::uint8_t>(clamp_byte(q)); };
    std::uint8_t lo = guess((fit.lo / r + 1) * 127.5 + 1);
    while (lo > 0 && double(decode_slab(lo, circumradius)) > fit.lo) --lo;
    std::uint8_t hi = guess((fit.hi / r + 1) * 127.5 - 1);
    while (hi < 255 && double(decode_slab(hi, circumradius)) < fit.hi) ++hi;
    std::uint8_t radius = guess(fit.radius / r * 255 - 1);
    while (radius < 255 && double(decode_radius(radius, circumradius)) < fit.radius) ++radius;
    node->slab_lo[lane] = lo;
    node->slab_hi[lane] = hi;
    node->radius[lane] = radius;
}

/// The decoded box itself, seen along a direction: the slab that any content allows.
inline SlabFit box_fit(const AabbVolume& v) {
    double along = 0, squared = 0;
    for (int k = 0; k < 3; ++k) {
        const double half = double((v.hi[k] - v.lo[k]) * 0.5f) * (1 + 1e-6);
        along += std::fabs(double(v.normal[k])) * half;
        squared += half * half;
    }
    return {-along, along, std::sqrt(squared)};
}

/// Accumulates the fit of points about a decoded volume's centre and direction.
class SlabFitter {
  public:
    explicit SlabFitter(const AabbVolume& v) {
        for (int k = 0; k < 3; ++k) {
            center_[k] = double((v.lo[k] + v.hi[k]) * 0.5f);
            normal_[k] = double(v.normal[k]);
        }
    }

    void add(const float* p) {
        double d[3], along = 0;
        for (int k = 0; k < 3; ++k) {
            d[k] = double(p[k]) - center_[k];
            along += d[k] * normal_[k];
        }
        double across = 0;
        for (int k = 0; k < 3; ++k) {
            const double c = d[k] - along * normal_[k];
            across += c * c;
        }
        lo_ = along < lo_ ? along : lo_;
        hi_ = along > hi_ ? along : hi_;
        across_ = across > across_ ? across : across_;
    }

    SlabFit fit() const { return {lo_, hi_, std::sqrt(across_)}; }

  private:
    double center_[3], normal_[3];
    double lo_ = 1e300, hi_ = -1e300, across_ = 0;
};

}  // namespace espalier
