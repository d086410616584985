// SPDX-License-Identifier: GPL-3.0-or-later
// Smallest enclosing ball of points (Fischer and Gaertner 2004, as CGAL has it).
#include "builder/sphere/coverage/smallest_ball.h"

#include <CGAL/Min_sphere_of_points_d_traits_3.h>
#include <CGAL/Min_sphere_of_spheres_d.h>
#include <CGAL/Simple_cartesian.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

namespace espalier {

using Eigen::Vector3d;

Ball smallest_ball(std::span<const Vector3d> points) {
    assert(!points.empty());
    using Kernel = CGAL::Simple_cartesian<double>;
    using Traits = CGAL::Min_sphere_of_points_d_traits_3<Kernel, double>;
    // Relative to the first point, so that a far origin costs no digits.
    const Vector3d origin = points.front();
    std::vector<Kernel::Point_3> local;
    local.reserve(points.size());
    for (const Vector3d& p : points) {
        const Vector3d d = p - origin;
        local.emplace_back(d.x(), d.y(), d.z());
    }
    CGAL::Min_sphere_of_spheres_d<Traits> sphere(local.begin(), local.end());
    Ball ball{origin, 0.0};
    auto coordinate = sphere.center_cartesian_begin();
    for (int axis = 0; axis < 3; ++axis, ++coordinate) ball.center[axis] += *coordinate;
    for (const Vector3d& p : points) ball.radius = std::max(ball.radius, (p - ball.center).norm());
    ball.radius *= 1.0 + 1e-12;
    return ball;
}

}  // namespace espalier
