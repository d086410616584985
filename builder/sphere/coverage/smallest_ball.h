// SPDX-License-Identifier: GPL-3.0-or-later
// Smallest enclosing ball of points, by CGAL.
#pragma once

#include <span>

#include "builder/surface/surface_pieces.h"

namespace espalier {

/// The smallest ball around the points, its radius enlarged by rounding so that it contains them all.
/// Precondition: at least one point.
Ball smallest_ball(std::span<const Eigen::Vector3d> points);

}  // namespace espalier
