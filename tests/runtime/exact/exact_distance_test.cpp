// SPDX-License-Identifier: GPL-3.0-or-later
// Distance and within on aabb and box trees at 100,000 placements: every answer is proved right to 1e-5 of
// itself over all pairs of triangles, by slabs in double and by exact arithmetic where they do not suffice.
#include <gtest/gtest.h>

#include "espalier/distance.h"
#include "tests/runtime/exact/models.h"
#include "tests/support/brute_force.h"

namespace espalier::testing {
namespace {

constexpr std::uint64_t kSeed = 53;

/// Runs a query to its end.
template <class Query>
const Query& measured(const ShapeView& a, const ShapeView& b, const Pose& pose, double within) {
    static Query query;
    DistanceGoal goal;
    goal.within = within;
    EXPECT_EQ(query.begin(a, b, pose, goal), Status::kOk);
    query.step();
    EXPECT_TRUE(query.done());
    return query;
}

template <class Query>
double expect_proved(const ShapeView& a, const ShapeView& b, const Pose& pose, const BruteForce& placed) {
    const Query& query = measured<Query>(a, b, pose, INFINITY);
    EXPECT_EQ(placed.doubt_distance(query.closest()), "");
    EXPECT_EQ(query.lower(), query.upper());
    EXPECT_EQ(query.closest().distance, query.upper());
    EXPECT_EQ(query.verdict(), query.upper() == 0 ? Verdict::kColliding : Verdict::kDisjoint);
    return query.upper();
}

/// `within` just above and just below the distance.
template <class Query>
void expect_within(const ShapeView& a, const ShapeView& b, const Pose& pose, double distance) {
    const double above = distance * (1 + kDistancePromise), below = distance * (1 - kDistancePromise);
    EXPECT_LE(measured<Query>(a, b, pose, above).upper(), above);
    if (distance > 0) EXPECT_GE(measured<Query>(a, b, pose, below).lower(), below);
}

TEST(ExactDistance, HundredThousandPosesOnAabbAndBoxTrees) {
    const ExactModels models(100);
    std::uint64_t poses = 0, colliding = 0;
    for_exact_poses(models, kSeed, 1.5, [&](const ShapeView& a, const ShapeView& b, const Pose& pose) {
        const BruteForce placed(a, b, pose);
        const double distance = expect_proved<Distance<AabbTreeView>>(a, b, pose, placed);
        expect_within<Distance<AabbTreeView>>(a, b, pose, distance);
        EXPECT_NEAR(measured<Distance<BoxTreeView>>(a, b, pose, INFINITY).upper(), distance,
                    distance * kDistancePromise + 1e-12);
        expect_within<Distance<BoxTreeView>>(a, b, pose, distance);
        ++poses;
        colliding += distance == 0;
    });
    EXPECT_GT(colliding, poses / 10);
    EXPECT_LT(colliding, poses / 2);
    std::printf("  %zu models, %llu poses, %llu colliding\n", models.small.size() + models.large.size(),
                static_cast<unsigned long long>(poses), static_cast<unsigned long long>(colliding));
}

TEST(ExactDistance, TheProofRefusesOtherPairsAndOtherPoints) {
    const ExactModels models(100);
    const ShapeView& part = models.small[0]->part();
    Draw draw(kSeed + 1);
    for (int i = 0; i < 50; ++i) {
        const Pose pose = random_pose(draw, part, part, 2.5);
        const ClosestPair truth = measured<Distance<AabbTreeView>>(part, part, pose, INFINITY).closest();
        if (truth.distance == 0) continue;
        const BruteForce placed(part, part, pose);
        ClosestPair other = truth;
        other.triangle_b = (truth.triangle_b + 1) % part.mesh.triangle_count;
        other.distance = triangle_distance(placed.a(other.triangle_a), placed.b(other.triangle_b),
                                           other.point_a, other.point_b);
        if (other.distance > truth.distance * (1 + 2 * kDistancePromise))
            EXPECT_NE(placed.doubt_distance(other), "");
        ClosestPair beside = truth;
        for (int k = 0; k < 3; ++k) beside.point_a[k] += 0.01 * (truth.point_b[k] - truth.point_a[k]);
        beside.distance *= 0.99;
        EXPECT_NE(placed.doubt_distance(beside), "");
        ClosestPair touching = truth;
        touching.distance = 0;
        EXPECT_NE(placed.doubt_distance(touching), "");
    }
}

}  // namespace
}  // namespace espalier::testing
