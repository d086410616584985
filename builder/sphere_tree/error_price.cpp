// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere_tree/error_price.h"

#include <algorithm>
#include <cmath>

#include "builder/sphere_tree/level_statistics.h"

namespace espalier {
namespace {

/// The error that costs as much as a ball's volume, in mean errors.
constexpr double kUsualError = 1.8;
/// Columns along one side for the volume of a set that is compared with others.
constexpr int kScoreColumns = 96;

}  // namespace

double mean_bulge(const DistanceGrid& distances, std::span<const std::vector<Ball>> sets) {
    double sum = 0.0;
    double count = 0.0;
    for (const std::vector<Ball>& balls : sets) {
        for (const Ball& ball : balls) {
            sum += distances.bulge(ball);
            count += 1.0;
        }
    }
    return count > 0.0 ? sum / count : 0.0;
}

ErrorPrice price_for(const DistanceGrid& distances, std::span<const std::vector<Ball>> sets, double cost) {
    std::size_t count = 0;
    for (const std::vector<Ball>& balls : sets) {
        count += balls.size();
    }
    if (count == 0) {
        return {};
    }
    // Below its width, the grid knows nothing.
    return {std::max(kUsualError * mean_bulge(distances, sets), distances.width()), cost / double(count)};
}

ErrorPrice lowered(const ErrorPrice& price, const DistanceGrid& distances,
                   std::span<const std::vector<Ball>> sets) {
    const double usual = std::max(kUsualError * mean_bulge(distances, sets), distances.width());
    return {std::min(price.usual, usual), price.cost};
}

double score(const DistanceGrid& distances, const InsideTest& inside, std::span<const Ball> balls) {
    double most = 0.0;
    for (const Ball& ball : balls) {
        most = std::max(most, distances.bulge(ball));
    }
    // Twice the volume is as bad as four times the error.
    return union_volumes(balls, inside, kScoreColumns).outside * std::sqrt(most);
}

}  // namespace espalier
