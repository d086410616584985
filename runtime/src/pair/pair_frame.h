// SPDX-License-Identifier: MIT
// The relative placement of two parts, computed once a query: matrices, absolute values, rounding margins
// (van den Bergen 1998, sections 3 and 6).
#pragma once

#include "../base/simd.h"
#include "espalier/asset.h"
#include "espalier/pose.h"

namespace espalier {

/// Row-major matrices. "Local" coordinates are those of the stored positions, without the part's origin.
struct PairFrame {
    double to_a[9];   ///< B local -> A local, rotation and scale
    double shift[3];  ///< and translation
    float m[9];       ///< to_a in float
    float abs_m[9];
    float margin;     ///< rounding along unit axes in A's frame: see `set_margins`
    float max_scale;  ///< largest stretch of B's lengths
    bool rigid;       ///< no scale: the inverse is the transpose
    /// The same, and the inverse (A local -> B local directions), once in every lane.
    F4 m4[9], t4[3], abs_m4[9], inv4[9], abs_inv4[9];
    F4 margin4;
    F4 margin_b4[3];  ///< rounding along B's local axes
    F4 scale4[3];     ///< lengths in A's frame of units along B's axes

    /// Exact-path corner of B in A's local frame.
    void place(const float* corner_b, double* corner_a) const {
        for (int row = 0; row < 3; ++row)
            corner_a[row] = to_a[3 * row] * double(corner_b[0]) + to_a[3 * row + 1] * double(corner_b[1]) +
                            to_a[3 * row + 2] * double(corner_b[2]) + shift[row];
    }
};

/// Fails with kInvalidArgument when the pose is not finite or beyond 1e18, its rotation is zero or a scale is
/// zero.
Status make_pair_frame(const ShapeView& a, const ShapeView& b, const Pose& pose, PairFrame* frame);

}  // namespace espalier
