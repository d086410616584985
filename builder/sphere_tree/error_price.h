// SPDX-License-Identifier: GPL-3.0-or-later
// What sticking out costs, beside volume, so that no ball bulges for all the others.
#pragma once

#include <span>
#include <vector>

#include "builder/sphere_tree/distance_grid.h"

namespace espalier {

/// A ball that sticks out by `usual` costs `cost` more, one that sticks out by more pays by the eighth power:
/// little below, and too much well above.
struct ErrorPrice {
    double usual = 0.0;  ///< 0: nothing
    double cost = 0.0;

    double of(double bulge) const {
        const double square = usual > 0.0 ? (bulge / usual) * (bulge / usual) : 0.0;
        return cost * square * square * square * square;
    }
};

/// How far the balls stick out, on average.
double mean_bulge(const DistanceGrid& distances, std::span<const std::vector<Ball>> sets);

/// The price for balls like these, which stick out as they do when errors are free and cost `cost` together.
ErrorPrice price_for(const DistanceGrid& distances, std::span<const std::vector<Ball>> sets, double cost);

/// The same price for balls that turn out to stick out less.
ErrorPrice lowered(const ErrorPrice& price, const DistanceGrid& distances,
                   std::span<const std::vector<Ball>> sets);

/// Compares sets of balls, less is better: their volume outside the solid and their largest error, as shares.
double score(const DistanceGrid& distances, const InsideTest& inside, std::span<const Ball> balls);

}  // namespace espalier
