// SPDX-License-Identifier: GPL-3.0-or-later
// Draws by hand from a fixed generator: the standard distributions differ between libraries.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>

#include "bench/harness/library.h"

namespace espalier_bench {

class Draw {
  public:
    explicit Draw(std::uint64_t seed) : engine_(seed) {}

    /// Uniform in [0, 1).
    double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
    double between(double lo, double hi) { return lo + (hi - lo) * unit(); }

    /// Uniform rotation (Shoemake 1992, as cited by van den Bergen 1998).
    void rotation(double q[4]) {
        const double u = unit(), a = 6.283185307179586 * unit(), b = 6.283185307179586 * unit();
        const double r = std::sqrt(1 - u), s = std::sqrt(u);
        q[0] = s * std::cos(b);
        q[1] = r * std::sin(a);
        q[2] = r * std::cos(a);
        q[3] = s * std::sin(b);
    }

    /// Uniform unit vector.
    void direction(double v[3]) {
        const double z = between(-1, 1), a = 6.283185307179586 * unit(), r = std::sqrt(1 - z * z);
        v[0] = r * std::cos(a);
        v[1] = r * std::sin(a);
        v[2] = z;
    }

  private:
    std::mt19937_64 engine_;
};

/// v rotated by q.
inline void rotate(const double q[4], const double v[3], double out[3]) {
    const double tx = 2 * (q[2] * v[2] - q[3] * v[1]);
    const double ty = 2 * (q[3] * v[0] - q[1] * v[2]);
    const double tz = 2 * (q[1] * v[1] - q[2] * v[0]);
    out[0] = v[0] + q[0] * tx + q[2] * tz - q[3] * ty;
    out[1] = v[1] + q[0] * ty + q[3] * tx - q[1] * tz;
    out[2] = v[2] + q[0] * tz + q[1] * ty - q[2] * tx;
}

/// The copy turned by q whose box centre is `offset` from the first one's.
inline Placement place(const ModelData& model, const double q[4], const double offset[3]) {
    Placement p;
    double turned[3];
    rotate(q, model.centre, turned);
    for (int i = 0; i < 4; ++i) p.rotation[i] = q[i];
    for (int i = 0; i < 3; ++i) p.translation[i] = model.centre[i] + offset[i] - turned[i];
    return p;
}

}  // namespace espalier_bench
