// SPDX-License-Identifier: MIT
// Proves that no connected piece of one part lies inside the other's solid, where boxes can prove it: each
// face of a piece's least box holds a point of the piece, and a face outside the other part's bounds takes
// that point out of the solid.
#pragma once

#include <cmath>

#include "pair_frame.h"

namespace espalier {

/// More pieces than this are not looked at.
constexpr std::uint32_t kMostShellsTested = 64;

/// A box of one part in A's local frame. Its sides are along the axes of its part's frame: A's are the unit
/// vectors, B's the columns of the matrix.
struct PlacedBox {
    double center[3];
    double half[3];  ///< along its own axes, before the matrix
    double magnitude;
};

/// `side` 0: a box of A; 1: of B.
inline PlacedBox placed_box(const float* lo, const float* hi, int side, const PairFrame& frame) {
    PlacedBox box;
    float middle[3];
    double reach = 0;
    for (int k = 0; k < 3; ++k) {
        middle[k] = 0.5f * lo[k] + 0.5f * hi[k];
        const double a = double(hi[k]) - double(middle[k]), b = double(middle[k]) - double(lo[k]);
        box.half[k] = a > b ? a : b;  // the middle is rounded: the box may grow by that
        reach += std::fabs(double(middle[k])) + box.half[k];
    }
    if (side == 0) {
        for (int k = 0; k < 3; ++k) box.center[k] = double(middle[k]);
        box.magnitude = reach;
        return box;
    }
    frame.place(middle, box.center);
    double largest = 0, shift = 0;
    for (int i = 0; i < 9; ++i)
        if (std::fabs(frame.to_a[i]) > largest) largest = std::fabs(frame.to_a[i]);
    for (int k = 0; k < 3; ++k) shift += std::fabs(frame.shift[k]);
    box.magnitude = largest * reach + shift;
    return box;
}

/// What the axes of both parts' frames are to each other, once a pose: products of axis i (0..2 A's, 3..5
/// B's, which are as long as the scale makes them) with axis j, and the absolute sums of the axes'
/// coordinates.
struct ShellAxes {
    double axis[6][3];
    double product[6][6];
    double length[6];
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

/// Some face of `shell`, a box of part `side`, is apart from `bounds`, a box of the other, along an axis of
/// either, beyond doubt: float32 middles and doubles round by far less than the margin.
inline bool sticks_out(const PlacedBox& shell, const PlacedBox& bounds, int side, const ShellAxes& axes) {
    const double d[3] = {shell.center[0] - bounds.center[0], shell.center[1] - bounds.center[1],
                         shell.center[2] - bounds.center[2]};
    const int own = 3 * side, others = 3 - own;
    for (int i = 0; i < 6; ++i) {
        const double* u = axes.axis[i];
        double to_face[3], reach = 1e-6 * axes.length[i] * (shell.magnitude + bounds.magnitude);
        for (int k = 0; k < 3; ++k) {
            to_face[k] = std::fabs(axes.product[i][own + k] * shell.half[k]);
            reach += to_face[k] + std::fabs(axes.product[i][others + k] * bounds.half[k]);
        }
        // Of two opposite faces the one that is farther out counts; it is flat along its own side.
        const double between = std::fabs(u[0] * d[0] + u[1] * d[1] + u[2] * d[2]);
        for (int k = 0; k < 3; ++k)
            if (between + to_face[k] > reach - to_face[k]) return true;
    }
    return false;
}

/// No piece of part `side` lies inside the other part's solid. False: it was not proved.
inline bool no_shell_inside(const PartView& part, const PartView& other, int side, const PairFrame& frame,
                            const ShellAxes& axes) {
    if (other.sphere.open) return true;  // it has no inside
    const SphereTreeView& tree = part.sphere;
    if (!tree.shells || tree.shell_count > kMostShellsTested) return false;
    const PlacedBox bounds = placed_box(other.lo, other.hi, 1 - side, frame);
    for (std::uint32_t i = 0; i < tree.shell_count; ++i)
        if (!sticks_out(placed_box(tree.shells[i].lo, tree.shells[i].hi, side, frame), bounds, side, axes))
            return false;
    return true;
}

}  // namespace espalier
