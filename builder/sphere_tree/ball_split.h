// SPDX-License-Identifier: GPL-3.0-or-later
// Two balls in place of one.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "builder/sphere_tree/point_cover.h"

namespace espalier {

using Pair = std::pair<Fitted, Fitted>;

/// Two balls around the points of one, the cheapest of: halves across the largest extent of the surface,
/// halves across the largest extent of the medial axis, and an extremity of small or medium size with the
/// rest. Costs are infinite if there is no way.
Pair split(PointCover& cover, const std::vector<FitSeed>& seeds, const Indices& points, const Ball& ball);

/// While there are fewer balls than `count`, splits the one that gains most by it, if one does.
void refill(PointCover& cover, const std::vector<FitSeed>& seeds, Balls& balls, std::size_t count);

}  // namespace espalier
