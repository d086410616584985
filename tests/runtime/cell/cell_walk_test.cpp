// SPDX-License-Identifier: GPL-3.0-or-later
// The walk with operations of the caller's: which pairs come up, stopping, going on, reach.
#include "espalier/cell_walk.h"

#include <gtest/gtest.h>

#include <map>

#include "espalier/collide.h"
#include "espalier/distance.h"
#include "tests/support/brute_force.h"
#include "tests/support/cell_fixture.h"

namespace espalier::test {
namespace {

BakedBytes torus(std::uint32_t triangles) {
    return bake_cells(corpus::find_corpus_mesh("torus")->make_near(triangles));
}

/// All leaves of a tree with their cells.
void leaves(const CellTreeView& tree, const CellRange& range, const CellVolume& cell,
            std::vector<std::pair<CellLists, CellVolume>>& out) {
    if (range.empty()) return;
    if (range.leaf()) return out.emplace_back(cell_leaf_lists(tree.nodes, range), cell), void();
    for (unsigned child = 0; child < 2; ++child)
        leaves(tree, cell_child(tree.nodes, range, child),
               child_cell(tree.nodes[range.node], tree.delta, cell, child), out);
}

/// Least distance of two boxes under a pose, to about a thousandth of them: by alternating projections.
double cell_distance(const CellVolume& a, const CellVolume& b, const PairFrame& f) {
    double p[3], q[3] = {0, 0, 0};
    double distance = 0;
    for (int k = 0; k < 3; ++k) p[k] = 0.5 * (double(a.lo[k]) + double(a.hi[k]));
    for (int round = 0; round < 400; ++round) {
        for (int k = 0; k < 3; ++k) {
            q[k] = 0;
            for (int row = 0; row < 3; ++row) q[k] += f.to_a[3 * row + k] * (p[row] - f.shift[row]);
            q[k] = std::min(std::max(q[k], double(b.lo[k])), double(b.hi[k]));
        }
        const float as_float[3] = {float(q[0]), float(q[1]), float(q[2])};
        double placed[3];
        f.place(as_float, placed);
        distance = 0;
        for (int k = 0; k < 3; ++k) {
            p[k] = std::min(std::max(placed[k], double(a.lo[k])), double(a.hi[k]));
            distance += (p[k] - placed[k]) * (p[k] - placed[k]);
        }
    }
    return std::sqrt(distance);
}

template <Overlap kOverlap>
void expect_pairs(const ShapeView& part, const Pose& pose, double reach) {
    PairFrame frame;
    ASSERT_EQ(make_pair_frame(part, part, pose, &frame), Status::kOk);
    std::vector<std::pair<CellLists, CellVolume>> all;
    leaves(part.cell, CellRange{0, part.cell.unit_count}, root_cell(part.cell), all);
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> seen;
    CellWalk<kOverlap> walk;
    ASSERT_EQ(walk.begin(part, part, pose, reach), Status::kOk);
    const Verdict verdict = walk.step([&](const CellPair& pair) {
        ++seen[{static_cast<std::uint32_t>(pair.a.triangles - part.cell.triangles),
                static_cast<std::uint32_t>(pair.b.triangles - part.cell.triangles)}];
        return false;
    });
    EXPECT_EQ(verdict, Verdict::kDisjoint);
    EXPECT_EQ(walk.counters().leaf_pairs, seen.size());  // none comes up twice
    std::size_t near = 0;
    for (const auto& [lists_a, a] : all)
        for (const auto& [lists_b, b] : all) {
            const double distance = cell_distance(a, b, frame);
            if (distance > reach * 0.99 + 1e-9) continue;
            ++near;
            EXPECT_EQ(seen.count({lists_a.first_triangle, lists_b.first_triangle}), 1u)
                << "cells " << distance << " apart are missing";
        }
    EXPECT_LE(near, seen.size());
    EXPECT_LT(seen.size(), all.size() * all.size());
}

TEST(CellWalk, EveryPairOfLeavesWithinReachComesUpOnceWithEveryTest) {
    const BakedBytes baked = torus(300);
    Draws draws(41);
    for (int i = 0; i < 4; ++i) {
        const Pose pose = draws.pose(0.8);
        for (const double reach : {0.0, 0.1, 0.4}) {
            expect_pairs<Overlap::kClip>(baked.part, pose, reach);
            expect_pairs<Overlap::kAxis>(baked.part, pose, reach);
            expect_pairs<Overlap::kSat>(baked.part, pose, reach);
            expect_pairs<Overlap::kSatLite>(baked.part, pose, reach);
        }
    }
}

TEST(CellWalk, ClippingLetsNoMorePairsPassThanTheCheaperTests) {
    const BakedBytes baked = torus(2000);
    Draws draws(42);
    const auto pairs = [&](auto walk, const Pose& pose) {
        EXPECT_EQ(walk->begin(baked.part, baked.part, pose), Status::kOk);
        walk->step([](const CellPair&) { return false; });
        return walk->counters().leaf_pairs;
    };
    for (int i = 0; i < 10; ++i) {
        const Pose pose = draws.pose(0.8);
        const std::uint64_t clip = pairs(std::make_unique<CellWalk<Overlap::kClip>>(), pose),
                            sat = pairs(std::make_unique<CellWalk<Overlap::kSat>>(), pose),
                            lite = pairs(std::make_unique<CellWalk<Overlap::kSatLite>>(), pose),
                            axis = pairs(std::make_unique<CellWalk<Overlap::kAxis>>(), pose);
        EXPECT_LE(clip, lite);
        EXPECT_NEAR(double(clip), double(sat), 2 + 0.001 * double(sat));  // both are exact but for rounding
        EXPECT_LE(sat, lite);
        EXPECT_LE(lite, axis);
    }
}

TEST(CellWalk, AnOperationThatIsContentStopsTheWalkAndBudgetsGoOnBehindTheLastPair) {
    const BakedBytes baked = torus(1000);
    Pose pose;
    pose.translation[0] = 0.4;
    CellWalk<> whole, pieces, stopped;
    for (CellWalk<>* walk : {&whole, &pieces, &stopped})
        ASSERT_EQ(walk->begin(baked.part, baked.part, pose), Status::kOk);
    std::vector<const std::uint32_t*> order[2];
    whole.step([&](const CellPair& pair) { return order[0].push_back(pair.a.triangles), false; });
    Budget budget;
    budget.node_tests = 3;
    int steps = 0;
    while (pieces.step([&](const CellPair& pair) { return order[1].push_back(pair.a.triangles), false; },
                       budget) == Verdict::kUnresolved)
        ++steps;
    EXPECT_GT(steps, 10);
    EXPECT_EQ(order[0], order[1]);
    ASSERT_GT(order[0].size(), 5u);
    std::size_t count = 0;
    EXPECT_EQ(stopped.step([&](const CellPair&) { return ++count == 3; }), Verdict::kColliding);
    EXPECT_EQ(stopped.step([&](const CellPair&) { return ++count == 3; }), Verdict::kColliding);
    EXPECT_EQ(count, 3u);
}

TEST(CellWalk, ASafetyDistanceIsCheckedByAnOperationOfTheCallers) {
    const BakedBytes baked = torus(400);
    Draws draws(43);
    for (int i = 0; i < 20; ++i) {
        const Pose pose = draws.pose(2.5);
        const double distance = testing::BruteForce(baked.part, baked.part, pose).distance();
        for (const double safety : {0.05, 0.5, 1.0}) {
            CellWalk<> walk;
            ASSERT_EQ(walk.begin(baked.part, baked.part, pose, safety), Status::kOk);
            const Verdict verdict = walk.step([&](const CellPair& pair) {
                for (std::uint32_t a = 0; a < pair.a.triangle_count; ++a)
                    for (std::uint32_t b = 0; b < pair.b.triangle_count; ++b)
                        if (walk.triangle_distance(pair.a.triangles[a], pair.b.triangles[b]) < safety)
                            return true;
                return false;
            });
            EXPECT_EQ(verdict == Verdict::kColliding, distance < safety) << i << " " << distance;
        }
    }
}

TEST(CellWalk, AShrinkingReachFindsTheLeastDistance) {
    const BakedBytes baked = torus(400);
    Draws draws(44);
    for (int i = 0; i < 10; ++i) {
        const Pose pose = draws.pose(2.5);
        CellWalk<> walk;
        double best = 10;
        ASSERT_EQ(walk.begin(baked.part, baked.part, pose, best), Status::kOk);
        walk.step([&](const CellPair& pair) {
            for (std::uint32_t a = 0; a < pair.a.triangle_count; ++a)
                for (std::uint32_t b = 0; b < pair.b.triangle_count; ++b)
                    best = std::min(best, walk.triangle_distance(pair.a.triangles[a], pair.b.triangles[b]));
            walk.set_reach(best);
            return best == 0;
        });
        EXPECT_NEAR(best, testing::BruteForce(baked.part, baked.part, pose).distance(), 1e-12);
    }
}

}  // namespace
}  // namespace espalier::test
