// SPDX-License-Identifier: GPL-3.0-or-later
// Distances on cell trees against brute force; bounds after every step.
#include <gtest/gtest.h>

#include "espalier/distance.h"
#include "tests/support/brute_force.h"
#include "tests/support/cell_fixture.h"
#include "tests/support/meshes.h"

namespace espalier::test {
namespace {

constexpr double kRounding = 1e-12;

TEST(CellDistance, equals_brute_force_on_random_poses_of_ten_meshes) {
    constexpr std::uint64_t kSeed = 31;
    Draws draws(kSeed);
    int apart = 0;
    for (const testing::NamedTriangles& mesh : testing::ten_small_meshes(220)) {
        const BakedBytes baked = bake_cells(mesh.mesh);
        const double size = diagonal(baked.part);
        for (int i = 0; i < 12; ++i) {
            const Pose pose = draws.pose(1.2 * size);
            const double expected = testing::BruteForce(baked.part, baked.part, pose).distance();
            Distance<CellTreeView> query;
            ASSERT_EQ(query.begin(baked.part, baked.part, pose), Status::kOk);
            const Verdict verdict = query.step();
            ASSERT_TRUE(query.done());
            EXPECT_NEAR(query.upper(), expected, kRounding * size)
                << mesh.name << " pose " << i << " seed " << kSeed;
            EXPECT_LE(query.lower(), query.upper());
            EXPECT_NEAR(query.lower(), expected, 1e-5 * size);
            if (expected > 0) {
                ++apart;
                EXPECT_EQ(verdict, Verdict::kDisjoint);
                const ClosestPair pair = query.closest();
                double squared = 0;
                for (int k = 0; k < 3; ++k) squared += std::pow(pair.point_a[k] - pair.point_b[k], 2);
                EXPECT_NEAR(std::sqrt(squared), expected, 1e-9 * size);
            }
        }
    }
    EXPECT_GT(apart, 50);
}

TEST(CellDistance, scaled_parts_far_from_the_origin_equal_brute_force) {
    Draws draws(32);
    const BakedBytes a = bake_cells(corpus::find_corpus_mesh("gear")->make_near(400), {}, {50, 60, -70});
    const BakedBytes b = bake_cells(corpus::find_corpus_mesh("torus")->make_near(300));
    for (int i = 0; i < 20; ++i) {
        Pose pose = draws.pose(1.5 * diagonal(a.part));
        for (int k = 0; k < 3; ++k) {
            pose.translation[k] += a.part.origin[k];
            pose.scale[k] = draws.between(0.2, 2) * (draws.below(2) ? 1 : -1);
        }
        Distance<CellTreeView> query;
        ASSERT_EQ(query.begin(a.part, b.part, pose), Status::kOk);
        query.step();
        EXPECT_NEAR(query.upper(), testing::BruteForce(a.part, b.part, pose).distance(), 1e-10) << i;
    }
}

TEST(CellDistance, bounds_hold_and_are_monotone_after_every_step) {
    Draws draws(33);
    const BakedBytes baked = bake_cells(corpus::find_corpus_mesh("tetra-flake")->make_near(800));
    const double size = diagonal(baked.part);
    for (int i = 0; i < 12; ++i) {
        const Pose pose = draws.pose(1.2 * size);
        Distance<CellTreeView> whole, pieces;
        ASSERT_EQ(whole.begin(baked.part, baked.part, pose), Status::kOk);
        ASSERT_EQ(pieces.begin(baked.part, baked.part, pose), Status::kOk);
        whole.step();
        const double distance = whole.upper();
        Budget budget;
        budget.node_tests = 1;
        double lower = 0, upper = INFINITY;
        while (!pieces.done()) {
            pieces.step(budget);
            EXPECT_GE(pieces.lower(), lower);
            EXPECT_LE(pieces.upper(), upper);
            lower = pieces.lower();
            upper = pieces.upper();
            ASSERT_LE(lower, distance * (1 + kRounding));
            ASSERT_GE(upper, distance);
        }
        EXPECT_EQ(pieces.upper(), distance);
        EXPECT_EQ(pieces.counters().node_tests, whole.counters().node_tests);
    }
}

TEST(CellDistance, goals_are_met) {
    Draws draws(34);
    const BakedBytes baked = bake_cells(corpus::find_corpus_mesh("torus")->make_near(1000));
    for (int i = 0; i < 20; ++i) {
        const Pose pose = draws.pose(1.2 * diagonal(baked.part));
        Distance<CellTreeView> exact, tolerant, within;
        ASSERT_EQ(exact.begin(baked.part, baked.part, pose), Status::kOk);
        exact.step();
        DistanceGoal goal;
        goal.relative_tolerance = 0.2;
        ASSERT_EQ(tolerant.begin(baked.part, baked.part, pose, goal), Status::kOk);
        tolerant.step();
        EXPECT_LE(tolerant.upper(), 1.2 * exact.upper() * (1 + kRounding));
        EXPECT_GE(tolerant.upper(), exact.upper());
        for (const double share : {0.5, 0.99, 1.01, 2.0}) {
            goal = DistanceGoal();
            goal.within = share * exact.upper();
            ASSERT_EQ(within.begin(baked.part, baked.part, pose, goal), Status::kOk);
            within.step();
            ASSERT_TRUE(within.done());
            EXPECT_EQ(within.upper() <= goal.within, exact.upper() <= goal.within);
            EXPECT_LE(within.lower(), exact.upper() * (1 + kRounding));
        }
    }
    Distance<CellTreeView> refused;
    DistanceGoal negative;
    negative.within = -1;
    EXPECT_EQ(refused.begin(baked.part, baked.part, Pose(), negative), Status::kInvalidArgument);
    EXPECT_EQ(refused.step(), Verdict::kUnresolved);
}

TEST(CellDistance, a_distance_measured_elsewhere_leaves_only_nearer_pairs) {
    const BakedBytes baked = bake_cells(corpus::find_corpus_mesh("torus")->make_near(1000));
    Pose pose;
    pose.translation[0] = 3.5;
    Distance<CellTreeView> alone, nearer, farther;
    ASSERT_EQ(alone.begin(baked.part, baked.part, pose), Status::kOk);
    ASSERT_EQ(nearer.begin(baked.part, baked.part, pose), Status::kOk);
    ASSERT_EQ(farther.begin(baked.part, baked.part, pose), Status::kOk);
    alone.step();
    nearer.tighten(0.9 * alone.upper());
    nearer.step();
    EXPECT_TRUE(nearer.done());
    EXPECT_GE(nearer.upper(), alone.upper());
    EXPECT_LE(nearer.lower(), 0.9 * alone.upper() * (1 + 1e-6));
    farther.tighten(1.1 * alone.upper());
    farther.step();
    EXPECT_EQ(farther.upper(), alone.upper());
}

}  // namespace
}  // namespace espalier::test
