// SPDX-License-Identifier: GPL-3.0-or-later
// Surfaces spanned by a sequence of closed loops: revolution, sweep and extrusion in one.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "corpus/shape.h"

namespace espalier::corpus {

/// A closed polygon in space; the last point is joined to the first. To face outward, the points of a loop
/// run counterclockwise seen against the direction in which the loops follow each other.
using Loop = std::vector<Eigen::Vector3d>;

/// A polyline of (position along an axis, radius) pairs.
using Profile = std::vector<Eigen::Vector2d>;

/// The loop of `segments` points centre + cos u + sin v: an ellipse with half-axes u and v.
Loop ellipse(const Eigen::Vector3d& centre, const Eigen::Vector3d& u, const Eigen::Vector3d& v,
             std::uint32_t segments);

/// The surface through `loops`, closed at both ends by a fan about `start` and `end`: topologically a sphere.
/// Gives 2 * segments * loops triangles. Precondition: at least one loop, all of the same length >= 3.
Shape loft_capped(const Eigen::Vector3d& start, const std::vector<Loop>& loops, const Eigen::Vector3d& end);

/// The surface through `loops`, the last joined to the first: topologically a torus. Gives 2 * segments *
/// loops triangles. Precondition: at least three loops, all of the same length >= 3.
Shape loft_ring(const std::vector<Loop>& loops);

/// `profile` revolved about the z axis. Profiles that begin and end at radius 0 give a closed surface with a
/// pole at each end; all other radii must be positive. Gives 2 * segments * (points - 2) triangles.
Shape revolve(const Profile& profile, std::uint32_t segments);

/// The closed profile (last point joined to the first) revolved about the z axis, all radii positive; the
/// profile runs counterclockwise in the plane with the radius to the right and the axis upward. Gives 2 *
/// segments * points triangles.
Shape revolve_ring(const Profile& profile, std::uint32_t segments);

/// `profile` with points added on its segments until there are `count` (never fewer than it has): the longest
/// piece is cut again and again, the first of equals first.
Profile subdivided(const Profile& profile, std::uint32_t count);

/// A tube of circular section along `path`, closed by a fan at both ends, the frame carried along without
/// twist. Precondition: at least two points, consecutive ones distinct, radius smaller than the path's radius
/// of curvature.
Shape sweep(const std::vector<Eigen::Vector3d>& path, double radius, std::uint32_t segments);

/// `count` points of the uniform cubic B-spline with end points at the first and last of `controls` (at least
/// two).
std::vector<Eigen::Vector3d> spline(const std::vector<Eigen::Vector3d>& controls, std::uint32_t count);

}  // namespace espalier::corpus
