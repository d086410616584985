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

/// A box, or with a zero half side a face of one, in A's local frame.
struct PlacedBox {
    double center[3];
    double half[3][3];  ///< vectors from the centre to the middle of a side
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
        const double half = a > b ? a : b;  // the middle is rounded: the box may grow by that
        reach += std::fabs(double(middle[k])) + half;
        for (int row = 0; row < 3; ++row)
            box.half[k][row] = side == 0 ? (row == k ? half : 0) : frame.to_a[3 * row + k] * half;
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

inline double dot3(const double* a, const double* b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Are two boxes apart along an axis, beyond doubt? Float32 middles and doubles round by far less than the
/// margin.
inline bool apart_along(const double* axis, const PlacedBox& u, const PlacedBox& v) {
    const double d[3] = {u.center[0] - v.center[0], u.center[1] - v.center[1], u.center[2] - v.center[2]};
    double reach = 0;
    for (int k = 0; k < 3; ++k) reach += std::fabs(dot3(axis, u.half[k])) + std::fabs(dot3(axis, v.half[k]));
    const double length = std::fabs(axis[0]) + std::fabs(axis[1]) + std::fabs(axis[2]);
    return std::fabs(dot3(axis, d)) > reach + 1e-6 * length * (u.magnitude + v.magnitude);
}

inline bool boxes_apart(const PlacedBox& u, const PlacedBox& v, const PairFrame& frame) {
    for (int k = 0; k < 3; ++k) {
        const double own[3] = {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
        const double turned[3] = {frame.to_a[k], frame.to_a[3 + k], frame.to_a[6 + k]};
        if (apart_along(own, u, v) || apart_along(turned, u, v)) return true;
    }
    return false;
}

/// Some face of `shell` is apart from `bounds`.
inline bool sticks_out(const PlacedBox& shell, const PlacedBox& bounds, const PairFrame& frame) {
    for (int k = 0; k < 3; ++k)
        for (int sign = -1; sign <= 1; sign += 2) {
            PlacedBox face = shell;
            for (int row = 0; row < 3; ++row) {
                face.center[row] += sign * shell.half[k][row];
                face.half[k][row] = 0;
            }
            if (boxes_apart(face, bounds, frame)) return true;
        }
    return false;
}

/// No piece of part `side` lies inside the other part's solid. False: it was not proved.
inline bool no_shell_inside(const PartView& part, const PartView& other, int side, const PairFrame& frame) {
    if (other.sphere.open) return true;  // it has no inside
    const SphereTreeView& tree = part.sphere;
    if (!tree.shells || tree.shell_count > kMostShellsTested) return false;
    const PlacedBox bounds = placed_box(other.lo, other.hi, 1 - side, frame);
    for (std::uint32_t i = 0; i < tree.shell_count; ++i)
        if (!sticks_out(placed_box(tree.shells[i].lo, tree.shells[i].hi, side, frame), bounds, frame))
            return false;
    return true;
}

}  // namespace espalier
