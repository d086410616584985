// SPDX-License-Identifier: GPL-3.0-or-later
// Random draws that are the same on every platform: written by hand on mt19937_64, since the library's
// distributions are implementation-defined.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <cstdint>
#include <random>

#include "espalier/pose.h"

namespace espalier::testing {

class Draw {
  public:
    explicit Draw(std::uint64_t seed) : engine_(seed) {}

    std::uint64_t bits() { return engine_(); }
    /// Uniform in [0, 1), 53 bits.
    double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
    double between(double lo, double hi) { return lo + (hi - lo) * unit(); }
    /// Uniform in 0 .. count - 1; the bias of the remainder is below 2^-32 for every count used here.
    std::uint64_t below(std::uint64_t count) { return engine_() % count; }
    bool coin() { return (engine_() >> 63) != 0; }
    /// `exponent` uniform in [lo, hi): 2^exponent.
    double power_of_two(double lo, double hi) { return std::exp2(between(lo, hi)); }

    Eigen::Vector3d in_cube() {
        const double x = between(-1, 1), y = between(-1, 1), z = between(-1, 1);
        return {x, y, z};
    }
    /// Uniform on the unit sphere, by rejection.
    Eigen::Vector3d direction() {
        for (;;) {
            const Eigen::Vector3d p = in_cube();
            const double squared = p.squaredNorm();
            if (squared > 1e-4 && squared <= 1) return p / std::sqrt(squared);
        }
    }
    /// Uniform rotation w x y z, by rejection in the four-dimensional ball.
    void quaternion(double* q) {
        for (;;) {
            double squared = 0;
            for (int i = 0; i < 4; ++i) {
                q[i] = between(-1, 1);
                squared += q[i] * q[i];
            }
            if (squared > 1e-4 && squared <= 1) return;
        }
    }

  private:
    std::mt19937_64 engine_;
};

}  // namespace espalier::testing
