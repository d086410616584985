// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere_tree/error_price.h"

#include <gtest/gtest.h>

#include "tests/sphere_tree/shapes.h"

namespace espalier {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

using Sets = std::vector<std::vector<Ball>>;

/// A box and its distances.
struct Solid {
    Solid()
        : inside(shapes::box(Vector3f(-1, -1, -1), Vector3f(1, 1, 1))),
          query(inside.oriented()),
          distances(inside, query) {}

    InsideTest inside;
    SurfaceQuery query;
    DistanceGrid distances;
};

const Solid& box() {
    static const Solid kBox;
    return kBox;
}

/// A ball that sticks out of the middle of a face by so much.
Ball bulging(double bulge) {
    return {Vector3d(0.1, 0.2, 0.5 + bulge), 0.5};
}

TEST(ErrorPrice, costsNothingWhereNothingIsUsual) {
    EXPECT_EQ(ErrorPrice{}.of(3.0), 0.0);
    EXPECT_EQ((ErrorPrice{0.0, 7.0}.of(3.0)), 0.0);
}

TEST(ErrorPrice, costsTheCostAtTheUsualErrorLittleBelowAndTooMuchAbove) {
    const ErrorPrice price{0.5, 7.0};
    EXPECT_EQ(price.of(0.0), 0.0);
    EXPECT_DOUBLE_EQ(price.of(0.5), 7.0);
    EXPECT_DOUBLE_EQ(price.of(0.25), 7.0 / 256.0);
    EXPECT_DOUBLE_EQ(price.of(1.0), 7.0 * 256.0);
}

TEST(ErrorPrice, usualErrorIsNearlyTwiceTheMeanAndTheCostIsSharedByTheBalls) {
    const Sets sets = {{bulging(0.1), bulging(0.2)}, {}, {bulging(0.3)}};
    const double mean = mean_bulge(box().distances, sets);
    EXPECT_NEAR(mean, 0.2, box().distances.width());
    const ErrorPrice price = price_for(box().distances, sets, 6.0);
    EXPECT_DOUBLE_EQ(price.usual, 1.8 * mean);
    EXPECT_DOUBLE_EQ(price.cost, 2.0);
}

TEST(ErrorPrice, isNothingForNoBallsAndAtLeastTheGridsWidthForBallsInside) {
    EXPECT_EQ(price_for(box().distances, Sets{{}, {}}, 6.0).usual, 0.0);
    EXPECT_EQ(mean_bulge(box().distances, Sets{}), 0.0);
    const Sets inside = {{Ball{Vector3d::Zero(), 0.5}}};
    EXPECT_EQ(price_for(box().distances, inside, 6.0).usual, box().distances.width());
}

TEST(ErrorPrice, isLoweredForBallsThatStickOutLessAndNeverRaised) {
    const ErrorPrice price = price_for(box().distances, Sets{{bulging(0.2)}}, 6.0);
    const ErrorPrice less = lowered(price, box().distances, Sets{{bulging(0.1)}});
    EXPECT_NEAR(less.usual, 0.18, 1.8 * box().distances.width());
    EXPECT_LT(less.usual, price.usual);
    EXPECT_EQ(less.cost, price.cost);
    const ErrorPrice same = lowered(price, box().distances, Sets{{bulging(0.4)}});
    EXPECT_EQ(same.usual, price.usual);
    EXPECT_EQ(same.cost, price.cost);
    const ErrorPrice least = lowered(price, box().distances, Sets{{Ball{Vector3d::Zero(), 0.5}}});
    EXPECT_EQ(least.usual, box().distances.width());
}

TEST(ErrorPrice, scoreIsBetterForLessVolumeAndForSmallerErrors) {
    const auto score_of = [](const std::vector<Ball>& balls) {
        return score(box().distances, box().inside, balls);
    };
    EXPECT_LT(score_of({bulging(0.1)}), score_of({bulging(0.2)}));
    // The same error twice: more volume.
    EXPECT_LT(score_of({bulging(0.2)}), score_of({bulging(0.2), {Vector3d(-0.7, 0.1, 0.2), 0.5}}));
}

}  // namespace
}  // namespace espalier
