// SPDX-License-Identifier: GPL-3.0-or-later
// Random draws of what tests need: ranges, places, directions and rotations.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <cstdint>

#include "builder/base/random.h"
#include "espalier/pose.h"

namespace espalier::testing {

class Draw : public espalier::Draw {
  public:
    using espalier::Draw::Draw;

    double between(double lo, double hi) { return lo + (hi - lo) * unit(); }
    bool coin() { return (bits() >> 63) != 0; }
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
};

}  // namespace espalier::testing
