// SPDX-License-Identifier: MIT
// What one pair of spheres proves about the parts that they belong to (schema/FORMAT.md, "What a pair of
// spheres proves"). Double precision: the spheres are float32, so that rounding is far below anything stored,
// and every build gives the same answers.
#pragma once

#include <cmath>

#include "../base/rounding.h"
#include "../pair/pair_frame.h"

namespace espalier {

/// How B's lengths change on the way to A's frame, with room for rounding.
struct LengthScale {
    double most;     ///< no length grows by more
    double least;    ///< none by less
    double largest;  ///< largest absolute entry of the matrix
    double shift;    ///< sum of the translation's absolute coordinates
};

inline LengthScale length_scale(const PairFrame& frame) {
    // The matrix is a rotation times a scale, so its columns' lengths are its singular values.
    LengthScale scale{0, 1e300, 0, 0};
    for (int k = 0; k < 3; ++k) {
        double squared = 0;
        for (int row = 0; row < 3; ++row) {
            const double entry = std::fabs(frame.to_a[3 * row + k]);
            squared += entry * entry;
            if (entry > scale.largest) scale.largest = entry;
        }
        const double length = std::sqrt(squared);
        if (length > scale.most) scale.most = length;
        if (length < scale.least) scale.least = length;
        scale.shift += std::fabs(frame.shift[k]);
    }
    scale.most *= 1 + 1e-12;
    scale.least *= 1 - 1e-12;
    return scale;
}

/// A sphere in A's local frame. Under a scale it is an ellipsoid between two spheres.
struct PlacedSphere {
    double center[3];
    double outer;  ///< radius of a ball that holds what the sphere covers
    double inner;  ///< radius of a ball that lies in the sphere
    double error;
    double magnitude;  ///< bounds every number that went into the centre: what rounding is relative to
};

/// @param gap    by how much the radius is larger for what the sphere covers
/// @param error  how far a point of the sphere may be from the surface
inline PlacedSphere place_sphere_a(const SphereNode& s, double gap, double error) {
    const double r = double(s.radius), x = double(s.center[0]), y = double(s.center[1]),
                 z = double(s.center[2]);
    return {{x, y, z}, r + gap, r, error, std::fabs(x) + std::fabs(y) + std::fabs(z) + r + gap};
}

inline PlacedSphere place_sphere_b(const SphereNode& s, double gap, double error, const PairFrame& frame,
                                   const LengthScale& scale) {
    PlacedSphere sphere;
    frame.place(s.center, sphere.center);
    const double r = double(s.radius);
    sphere.outer = (r + gap) * scale.most;
    sphere.inner = r * scale.least;
    sphere.error = error * scale.most;
    const double sum =
        std::fabs(double(s.center[0])) + std::fabs(double(s.center[1])) + std::fabs(double(s.center[2]));
    sphere.magnitude = scale.largest * sum + scale.shift + sphere.outer;
    return sphere;
}

struct PairBound {
    double gap;    ///< what both spheres cover is at least this far apart; below 0: they overlap by as much
    double upper;  ///< the solids are at most this far apart
};

/// A placed centre is off by at most 2e-15 of its magnitude, a distance by less than as much again.
constexpr double kPlacingRounding = 1e-14;

inline PairBound bound_pair(const PlacedSphere& a, const PlacedSphere& b) {
    const double x = b.center[0] - a.center[0], y = b.center[1] - a.center[1], z = b.center[2] - a.center[2];
    const double distance = std::sqrt((x * x + y * y) + z * z);
    const double rounding = kPlacingRounding * (a.magnitude + b.magnitude);
    const double apart = distance - (a.inner + b.inner) + rounding;
    const double errors = (a.error + b.error) * (1 + 1e-15);
    return {distance - (a.outer + b.outer) - rounding, apart > 0 ? apart + errors : errors};
}

}  // namespace espalier
