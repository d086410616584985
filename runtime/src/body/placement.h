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

/// v + 2 u x (u x v + w v), for the quaternion (w, u).
inline void turn(const double* q, const double* v, double* turned) {
    const double cx = q[2] * v[2] - q[3] * v[1] + q[0] * v[0];
    const double cy = q[3] * v[0] - q[1] * v[2] + q[0] * v[1];
    const double cz = q[1] * v[1] - q[2] * v[0] + q[0] * v[2];
    const double x = v[0] + 2 * (q[2] * cz - q[3] * cy);
    const double y = v[1] + 2 * (q[3] * cx - q[1] * cz);
    const double z = v[2] + 2 * (q[1] * cy - q[2] * cx);
    turned[0] = x;
    turned[1] = y;
    turned[2] = z;
}

/// By the inverse rotation.
inline void turn_back(const double* q, const double* v, double* turned) {
    const double inverse[4] = {q[0], -q[1], -q[2], -q[3]};
    turn(inverse, v, turned);
}

inline void product(const double* a, const double* b, double* out) {
    const double w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    const double x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    const double y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    const double z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
    out[0] = w;
    out[1] = x;
    out[2] = y;
    out[3] = z;
}

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

inline double squared_length(const double* q) {
    return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
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
