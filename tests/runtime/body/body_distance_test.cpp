// SPDX-License-Identifier: GPL-3.0-or-later
// Distances of bodies, and whether they are within a limit, at random configurations of random joint trees,
// against brute force over the triangles of all parts.
#include "espalier/body_distance.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/effort.h"
#include "tests/support/exact.h"
#include "tests/support/random_body.h"

namespace espalier::testing {
namespace {

template <class Tree>
void expect_distance(const HandBody& a, const HandBody* b, const Pose& pose, double truth, Draw& draw) {
    static BodyDistance<Tree> query;
    const auto begin = [&](const DistanceGoal& goal) {
        return b ? query.begin(a.body(), b->body(), pose, goal) : query.begin_self(a.body(), goal);
    };
    ASSERT_EQ(begin(DistanceGoal()), Status::kOk);
    double lower = 0, upper = INFINITY;
    while (!query.done()) {
        Budget budget;
        budget.node_tests = draw.below(400);
        query.step(budget);
        ASSERT_LE(query.lower(), truth + 1e-9);
        ASSERT_GE(query.upper(), truth - 1e-9);
        ASSERT_GE(query.lower(), lower);
        ASSERT_LE(query.upper(), upper);
        lower = query.lower();
        upper = query.upper();
    }
    if (std::isinf(truth)) {
        EXPECT_EQ(query.lower(), truth);
        EXPECT_EQ(query.upper(), truth);
        return;
    }
    ASSERT_NEAR(query.upper(), truth, 1e-9);
    ASSERT_NEAR(query.lower(), truth, 1e-9);
    EXPECT_EQ(query.verdict(), truth > 0 ? Verdict::kDisjoint : Verdict::kColliding);
    const BodyClosestPair& closest = query.closest();
    const Eigen::Vector3d point_a(closest.found.point_a), point_b(closest.found.point_b);
    EXPECT_NEAR((point_a - point_b).norm(), truth, 1e-9);
    EXPECT_LT(closest.part_a, a.poses().size());
    EXPECT_LT(closest.part_b, (b ? *b : a).poses().size());
    for (const double share : {0.5, 2.0}) {
        DistanceGoal goal;
        goal.within = truth > 0 ? truth * share : share - 1;
        if (!(goal.within >= 0)) continue;
        ASSERT_EQ(begin(goal), Status::kOk);
        query.step();
        EXPECT_TRUE(query.done());
        EXPECT_EQ(query.upper() <= goal.within, truth <= goal.within);
    }
}

/// Brute force in doubles is held against exact arithmetic.
void expect_exact(const std::vector<PlacedPair>& pairs, double truth) {
    double least = truth + 1e-6;
    for (const PlacedPair& pair : pairs)
        if (!surely_beyond(pair, least))
            least = exact_mesh_distance(pair.view_a, pair.view_b, pair.pose, least);
    ASSERT_NEAR(least, truth, 1e-9);
}

TEST(BodyDistanceTest, IsThatOfTheNearestPartsByBruteForce) {
    std::uint64_t between_touch = 0, within_touch = 0, count = 0;
    at_configurations(12, effort(10000, 40), [&](HandBody& a, HandBody& b, const Pose& pose, Draw& draw) {
        const std::vector<PlacedPair> pairs = pairs_between(a, b, pose);
        const double between = least_distance(pairs);
        ASSERT_NO_FATAL_FAILURE(expect_distance<AabbTreeView>(a, &b, pose, between, draw));
        ASSERT_NO_FATAL_FAILURE(expect_distance<BoxTreeView>(a, &b, pose, between, draw));
        ASSERT_NO_FATAL_FAILURE(expect_distance<CellTreeView>(a, &b, pose, between, draw));
        if (count % 500 == 0 && std::isfinite(between)) ASSERT_NO_FATAL_FAILURE(expect_exact(pairs, between));
        const double within = least_distance(pairs_within(a));
        ASSERT_NO_FATAL_FAILURE(expect_distance<AabbTreeView>(a, nullptr, Pose(), within, draw));
        ASSERT_NO_FATAL_FAILURE(expect_distance<BoxTreeView>(a, nullptr, Pose(), within, draw));
        ASSERT_NO_FATAL_FAILURE(expect_distance<CellTreeView>(a, nullptr, Pose(), within, draw));
        between_touch += between == 0 ? 1 : 0;
        within_touch += within == 0 ? 1 : 0;
        ++count;
    });
    expect_dense("two bodies", between_touch, count);
    expect_dense("one body with itself", within_touch, count);
}

}  // namespace
}  // namespace espalier::testing
