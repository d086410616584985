// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere/optimize/ball_fit.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/builder/sphere/shapes.h"

namespace espalier {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

/// A flat box with its corners at (+-1, +-0.5, +-0.05), 1.119 from the origin.
struct Slab {
    FitSurface surface() const { return {inside.oriented(), inside, query, boxes, 4.3, 2.24, 1e-7}; }

    InsideTest inside{shapes::box(Vector3f(-1.0F, -0.5F, -0.05F), Vector3f(1.0F, 0.5F, 0.05F))};
    SurfaceQuery query{inside.oriented()};
    TriangleBoxes boxes{inside.oriented()};
};

TEST(BallFit, whatOnlyOneParentHoldsIsHeldByASmallChildOfIt) {
    // The first two parents hold the left and the right half, all but a nook between them at the edge, which
    // is smaller than a patch; the third one holds that and some of the rest, and its middle is far away.
    std::vector<Chain> parents = {{Ball{Vector3d(-10.0, -0.3, 0.0), 10.035}},
                                  {Ball{Vector3d(10.0, -0.3, 0.0), 10.02}},
                                  {Ball{Vector3d(0.0, 1.2, 0.0), 0.8}}};
    const std::vector<Seat> start = {{Ball{Vector3d(-0.5, 0.0, 0.0), 0.76}, 0, false},
                                     {Ball{Vector3d(0.5, 0.0, 0.0), 0.76}, 1, false},
                                     {parents[2].front(), 2, false}};
    const Slab slab;
    FitOptions options;
    options.count = 24;
    options.most_children = 24;
    options.reach = 1.6;
    options.smallest_piece = 0.002;
    Progress progress;
    const std::vector<Seat> seats = fit_balls(slab.surface(), parents, start, options, progress);
    EXPECT_LE(seats.size(), options.count);
    const Vector3d in_nook(0.001, 0.5, 0.0);
    EXPECT_TRUE(std::any_of(seats.begin(), seats.end(), [&](const Seat& seat) {
        return seat.parent == 2 && (seat.ball.center - in_nook).norm() <= seat.ball.radius;
    }));
    for (const Seat& seat : seats) {
        EXPECT_LT(seat.ball.radius, 0.35) << "of parent " << seat.parent;
    }
}

}  // namespace
}  // namespace espalier
