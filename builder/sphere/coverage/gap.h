// SPDX-License-Identifier: GPL-3.0-or-later
// Coverage within a gap: every point of the surface lies no farther than that from a sphere. A sphere covers
// what lies in the ball whose radius is larger by the gap, so whatever proves or makes coverage works on
// these balls, and what is measured or stored on the spheres.
#pragma once

#include <algorithm>

#include "builder/sphere/sphere_tree.h"
#include "builder/surface/surface_pieces.h"

namespace espalier {

/// The ball that holds what a sphere covers.
inline Ball covering_ball(const Ball& sphere, double gap) {
    return {sphere.center, sphere.radius + gap};
}
inline Ball covering_ball(const Sphere& sphere, double gap) {
    return {sphere.center.cast<double>(), double(sphere.radius) + gap};
}

/// The least sphere that covers what lies in a ball.
inline Ball sphere_to_cover(const Ball& ball, double gap) {
    return {ball.center, std::max(0.0, ball.radius - gap)};
}

}  // namespace espalier
