// SPDX-License-Identifier: MIT
// Proves that no connected piece of one part lies inside the other's solid, where boxes can prove it: each
// face of a piece's least box holds a point of the piece, and a face outside the other part's bounds takes
// that point out of the solid.
#pragma once

#include <cmath>

#include "bound.h"

namespace espalier {

/// More pieces than this are not looked at.
constexpr std::uint32_t kMostShellsTested = 64;

/// A box of one part. Its sides are along the axes of its part's frame: A's are the unit vectors, B's the
/// columns of the matrix.
struct PlacedBox {
    double center[3];  ///< in A's local frame
    double half[3];    ///< along its own axes, before the matrix
    double magnitude;  ///< bounds every number that goes into it: what rounding is relative to
};

/// `side` 0: a box of A; 1: of B.
inline PlacedBox placed_box(const float* lo, const float* hi, int side, const PairFrame& frame,
                            const LengthScale& scale) {
    PlacedBox box;
    float middle[3];
    double reach = 0;
    for (int k = 0; k < 3; ++k) {
        middle[k] = 0.5F * lo[k] + 0.5F * hi[k];
        const double a = double(hi[k]) - double(middle[k]), b = double(middle[k]) - double(lo[k]);
        box.half[k] = a > b ? a : b;  // the middle is rounded: the box may grow by that
        reach += std::fabs(double(middle[k])) + box.half[k];
    }
    if (side == 0) {
        for (int k = 0; k < 3; ++k) box.center[k] = double(middle[k]);
        box.magnitude = reach;
    } else {
        frame.place(middle, box.center);
        box.magnitude = scale.largest * reach + scale.shift;
    }
    return box;
}

/// The axes of both parts' frames, once a pose: 0..2 are A's, 3..5 B's, as long as the scale makes them.
struct ShellAxes {
    double axis[6][3];
    double product[6][6];  ///< of axis and axis
    double length[6];      ///< absolute sum of the coordinates
};

inline ShellAxes shell_axes(const PairFrame& frame) {
    ShellAxes axes;
    for (int i = 0; i < 3; ++i)
        for (int row = 0; row < 3; ++row) {
            axes.axis[i][row] = row == i ? 1.0 : 0.0;
            axes.axis[3 + i][row] = frame.to_a[3 * row + i];
        }
    for (int i = 0; i < 6; ++i) {
        const double* u = axes.axis[i];
        axes.length[i] = std::fabs(u[0]) + std::fabs(u[1]) + std::fabs(u[2]);
        for (int j = 0; j <= i; ++j) {
            const double* v = axes.axis[j];
            axes.product[i][j] = axes.product[j][i] = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
        }
    }
    return axes;
}

/// A part's bounds as every piece of the other meets them: where they lie along each axis.
struct BoundsAlong {
    double center[6], reach[6];
    double magnitude;
};

inline BoundsAlong bounds_along(const PlacedBox& bounds, int side, const ShellAxes& axes) {
    BoundsAlong along;
    along.magnitude = bounds.magnitude;
    for (int i = 0; i < 6; ++i) {
        along.center[i] = along.reach[i] = 0;
        for (int k = 0; k < 3; ++k) {
            along.center[i] += axes.axis[i][k] * bounds.center[k];
            along.reach[i] += std::fabs(axes.product[i][3 * side + k] * bounds.half[k]);
        }
    }
    return along;
}

/// Some face of `shell`, a box of part `side`, is apart from the other's bounds along an axis of either,
/// beyond doubt: float32 middles and doubles round by far less than the margin. `*first` is the axis to begin
/// with and then the one that told: pieces of a part tend to protrude on the same side.
inline bool protrudes(const PlacedBox& shell, const BoundsAlong& bounds, int side, const ShellAxes& axes,
                      int* first) {
    const double magnitude = 1e-6 * (shell.magnitude + bounds.magnitude);
    for (int n = 0; n < 6; ++n) {
        const int i = *first + n < 6 ? *first + n : *first + n - 6;
        const double* u = axes.axis[i];
        const double* product = axes.product[i] + 3 * side;
        const double center = u[0] * shell.center[0] + u[1] * shell.center[1] + u[2] * shell.center[2];
        const double x = std::fabs(product[0] * shell.half[0]), y = std::fabs(product[1] * shell.half[1]),
                     z = std::fabs(product[2] * shell.half[2]);
        // Of two opposite faces the farther one counts: it is flat along its own side, so that the side moves
        // it out and does not widen it. The longest side does most.
        const double longest = x > y ? (x > z ? x : z) : (y > z ? y : z);
        const double widest = bounds.reach[i] + x + y + z + axes.length[i] * magnitude;
        if (std::fabs(center - bounds.center[i]) + 2 * longest > widest) {
            *first = i;
            return true;
        }
    }
    return false;
}

/// No piece of part `side` lies inside the other part's solid. False: it was not proved.
inline bool no_shell_inside(const ShapeView& part, const ShapeView& other, int side, const PairFrame& frame,
                            const LengthScale& scale, const ShellAxes& axes) {
    if (other.sphere.open) return true;  // it has no inside
    const SphereTreeView& tree = part.sphere;
    if (!tree.shells || tree.shell_count > kMostShellsTested) return false;
    const BoundsAlong bounds =
        bounds_along(placed_box(other.lo, other.hi, 1 - side, frame, scale), 1 - side, axes);
    int first = 0;
    for (std::uint32_t i = 0; i < tree.shell_count; ++i) {
        const auto& shell = tree.shells[i];
        if (!protrudes(placed_box(shell.lo, shell.hi, side, frame, scale), bounds, side, axes, &first))
            return false;
    }
    return true;
}

}  // namespace espalier
