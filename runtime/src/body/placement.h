// SPDX-License-Identifier: MIT
// Rigid placements in double precision: one after another, and the way back.
#pragma once

#include <cmath>

#include "../base/rotation.h"
#include "../base/rounding.h"
#include "espalier/body.h"

namespace espalier {

/// A unit quaternion w x y z, and where the frame's origin is.
struct Placement {
    double rotation[4];
    double translation[3];
};

/// From the inner frame to the outer frame's own: outer * inner.
inline Placement compose(const Placement& outer, const Placement& inner) {
    Placement result;
    product(outer.rotation, inner.rotation, result.rotation);
    turn(outer.rotation, inner.translation, result.translation);
    for (int k = 0; k < 3; ++k) result.translation[k] += outer.translation[k];
    return result;
}

/// Of two placements in one frame, the second in the first's: first^-1 * second.
inline Placement seen_from(const Placement& first, const Placement& second) {
    Placement result;
    const double inverse[4] = {first.rotation[0], -first.rotation[1], -first.rotation[2], -first.rotation[3]};
    double between[3];
    for (int k = 0; k < 3; ++k) between[k] = second.translation[k] - first.translation[k];
    product(inverse, second.rotation, result.rotation);
    turn(inverse, between, result.translation);
    return result;
}

inline bool in_reach(const double* v) {
    return std::fabs(v[0]) <= kLargestPlace && std::fabs(v[1]) <= kLargestPlace &&
           std::fabs(v[2]) <= kLargestPlace;
}

/// False where a pose is no placement: not finite, a rotation of zero, a scale, too far away. One decision in
/// the end, for it is asked of every part in every frame.
inline bool is_place(const Pose& pose) {
    const double squared = squared_length(pose.rotation);
    const double *t = pose.translation, *s = pose.scale;
    const bool turns = (squared > 0) & (squared < __builtin_huge_val());
    const bool near = (std::fabs(t[0]) <= kLargestPlace) & (std::fabs(t[1]) <= kLargestPlace) &
                      (std::fabs(t[2]) <= kLargestPlace);
    return turns & near & (s[0] == 1) & (s[1] == 1) & (s[2] == 1);
}

/// How far a squared length may be from 1 for a rotation to be taken as it is: eight roundings.
constexpr double kUnitRounding = 1e-15;

/// Precondition: is_place.
inline Placement placed(const Pose& pose) {
    const double squared = squared_length(pose.rotation);
    const double shrink = std::fabs(squared - 1) <= kUnitRounding ? 1 : 1 / std::sqrt(squared);
    Placement placement;
    for (int k = 0; k < 4; ++k) placement.rotation[k] = pose.rotation[k] * shrink;
    for (int k = 0; k < 3; ++k) placement.translation[k] = pose.translation[k];
    return placement;
}

/// A pose as a placement; false where it is none.
inline bool placement_of(const Pose& pose, Placement* placement) {
    if (!is_place(pose)) return false;
    *placement = placed(pose);
    return true;
}

inline Pose pose_of(const Placement& placement) {
    Pose pose;
    for (int k = 0; k < 4; ++k) pose.rotation[k] = placement.rotation[k];
    for (int k = 0; k < 3; ++k) pose.translation[k] = placement.translation[k];
    return pose;
}

inline bool unmoved(const Placement& p) {
    return p.rotation[0] == 1 && p.rotation[1] == 0 && p.rotation[2] == 0 && p.rotation[3] == 0 &&
           p.translation[0] == 0 && p.translation[1] == 0 && p.translation[2] == 0;
}

}  // namespace espalier
