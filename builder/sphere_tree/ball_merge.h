// SPDX-License-Identifier: GPL-3.0-or-later
// A first set of balls: medial balls with the surface that they touch, merged (compare Hubbard 1996, section
// 5.2).
#pragma once

#include <cstddef>
#include <vector>

#include "builder/sphere_tree/point_cover.h"

namespace espalier {

/// Begins with `seeds_per_ball` times as many balls as wanted, spread over the surface, each with the points
/// nearest to its surface, and merges the pair that costs least, again and again, down to `count`. Another
/// `first_seed` spreads them in another way. Where there are fewer from the start, balls are split. Seeds are
/// relative to the cover's origin.
Balls merge_seeds(PointCover& cover, const std::vector<FitSeed>& seeds, std::size_t count,
                  std::size_t seeds_per_ball, std::size_t first_seed);

/// The same for 1, 2, ... `most` balls at once, from `seeds_per_ball` times as many as that; sets that
/// would have more balls than there are seeds repeat the largest.
std::vector<Balls> merge_all(PointCover& cover, const std::vector<FitSeed>& seeds, std::size_t most,
                             std::size_t seeds_per_ball);

}  // namespace espalier
