// SPDX-License-Identifier: GPL-3.0-or-later
// The coordinates of the search for spheres: float32, about the middle of the mesh, in half diagonals.
#pragma once

#include <Eigen/Core>

#include "builder/sphere/optimize/held_points.h"
#include "builder/surface/surface_pieces.h"

namespace espalier {

/// Rounding to float32 and the tolerance of HeldPoints, as a factor and in half diagonals: chains are smaller
/// by this, patches and balls larger.
constexpr float kLaneSafe = 1.0F + 3e-6F;
constexpr float kLaneRounding = 4e-7F;

struct LaneFrame {
    Eigen::Vector3d origin = Eigen::Vector3d::Zero();
    double scale = 1.0;

    Eigen::Vector3f to_lanes(const Eigen::Vector3d& point) const {
        return ((point - origin) / scale).cast<float>();
    }
    LaneBall to_lanes(const Ball& ball) const {
        const Eigen::Vector3f center = to_lanes(ball.center);
        return {center.x(), center.y(), center.z(), static_cast<float>(ball.radius / scale)};
    }
    /// One that holds all that the other one counts as holding.
    Ball to_ball(const LaneBall& ball) const {
        return {origin + scale * Eigen::Vector3d(ball.x, ball.y, ball.z),
                scale * double(ball.radius * kLaneSafe + kLaneRounding)};
    }
};

}  // namespace espalier
