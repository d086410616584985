// SPDX-License-Identifier: GPL-3.0-or-later
// Distance on aabb trees: exact against brute force, bounds true and monotone after every step, goals
// respected. tests/runtime/exact has many more poses.
#include "espalier/distance.h"

#include <gtest/gtest.h>

#include "tests/support/baked_mesh.h"
#include "tests/support/brute_force.h"
#include "tests/support/effort.h"
#include "tests/support/meshes.h"

namespace espalier::testing {
namespace {

constexpr std::uint64_t kSeed = 0x0d157a9ce;

/// Relative to the distance, with an absolute part for the rounding of coordinates.
double tolerance(const ShapeView& part, double distance) {
    const double reach = std::max(
        {std::abs(double(part.lo[0])), std::abs(double(part.hi[0])), std::abs(double(part.hi[2])), 1e-30});
    return 1e-9 * distance + 1e-13 * reach;
}

class DistanceTest : public ::testing::Test {
  protected:
    template <class Check>
    void for_poses(std::uint32_t triangles, std::uint64_t poses, double reach, Check check) {
        const std::vector<NamedTriangles> meshes = ten_small_meshes(triangles);
        Draw draw(kSeed);
        for (std::size_t m = 0; m < meshes.size(); ++m) {
            const BakedMesh a(meshes[m].name, meshes[m].mesh);
            const BakedMesh b(meshes[(m + 3) % meshes.size()].name, meshes[(m + 3) % meshes.size()].mesh);
            for (std::uint64_t i = 0; i < poses; ++i) {
                const Pose pose = random_pose(draw, a.part(), b.part(), reach);
                SCOPED_TRACE(a.name() + " against " + b.name() + ", seed " + std::to_string(kSeed) + ", " +
                             text_of(pose));
                check(a.part(), b.part(), pose);
                if (HasFailure()) return;
            }
        }
    }
};

TEST_F(DistanceTest, ExactDistanceEqualsBruteForceAndPointsAttainIt) {
    const auto check = [](const ShapeView& a, const ShapeView& b, const Pose& pose) {
        static Distance<AabbTreeView> query;
        ASSERT_EQ(query.begin(a, b, pose), Status::kOk);
        query.step();
        ASSERT_TRUE(query.done());
        const double expected = BruteForce(a, b, pose).distance();
        ASSERT_NEAR(query.upper(), expected, tolerance(a, expected));
        ASSERT_EQ(query.lower(), query.upper());
        ASSERT_EQ(query.verdict(), expected == 0 ? Verdict::kColliding : Verdict::kDisjoint);
        const ClosestPair pair = query.closest();
        double between = 0;
        for (int k = 0; k < 3; ++k)
            between += (pair.point_a[k] - pair.point_b[k]) * (pair.point_a[k] - pair.point_b[k]);
        ASSERT_NEAR(std::sqrt(between), pair.distance, tolerance(a, expected));
    };
    for_poses(120, effort(60, 4), 1.5, check);
}

TEST_F(DistanceTest, BoundsHoldAndTightenAfterEveryStep) {
    for_poses(80, effort(6, 1), 1.5, [](const ShapeView& a, const ShapeView& b, const Pose& pose) {
        const double truth = BruteForce(a, b, pose).distance();
        static Distance<AabbTreeView> query;
        ASSERT_EQ(query.begin(a, b, pose), Status::kOk);
        Budget one;
        one.node_tests = 1;
        double lower = 0, upper = INFINITY;
        for (int steps = 0; !query.done(); ++steps) {
            ASSERT_LT(steps, 1000000);
            query.step(one);
            ASSERT_GE(query.lower(), lower);
            ASSERT_LE(query.upper(), upper);
            lower = query.lower();
            upper = query.upper();
            ASSERT_LE(lower, truth + tolerance(a, truth));
            ASSERT_GE(upper, truth - tolerance(a, truth));
        }
        ASSERT_NEAR(upper, truth, tolerance(a, truth));
    });
}

TEST_F(DistanceTest, WithinAnswersOnBothSidesOfTheDistance) {
    for_poses(80, effort(20, 2), 1.5, [](const ShapeView& a, const ShapeView& b, const Pose& pose) {
        const double truth = BruteForce(a, b, pose).distance();
        if (truth == 0) return;
        static Distance<AabbTreeView> query;
        DistanceGoal goal;
        goal.within = truth * 1.01;
        ASSERT_EQ(query.begin(a, b, pose, goal), Status::kOk);
        query.step();
        ASSERT_TRUE(query.done());
        ASSERT_LE(query.upper(), goal.within);
        goal.within = truth * 0.99;
        ASSERT_EQ(query.begin(a, b, pose, goal), Status::kOk);
        query.step();
        ASSERT_TRUE(query.done());
        ASSERT_GE(query.lower(), goal.within);
    });
}

TEST_F(DistanceTest, ToleranceIsKeptAndSavesWork) {
    std::uint64_t exact_work = 0, tolerant_work = 0;
    for_poses(120, effort(20, 2), 2.0, [&](const ShapeView& a, const ShapeView& b, const Pose& pose) {
        static Distance<AabbTreeView> query;
        ASSERT_EQ(query.begin(a, b, pose), Status::kOk);
        query.step();
        const double truth = query.upper();
        exact_work += query.counters().node_tests;
        DistanceGoal goal;
        goal.relative_tolerance = 0.5;
        ASSERT_EQ(query.begin(a, b, pose, goal), Status::kOk);
        query.step();
        tolerant_work += query.counters().node_tests;
        ASSERT_LE(query.upper(), truth * 1.5 * (1 + 1e-9));
        ASSERT_LE(query.lower(), truth * (1 + 1e-9));
    });
    EXPECT_LT(tolerant_work, exact_work);
}

TEST_F(DistanceTest, NonuniformScaleEqualsAMeshScaledByHand) {
    const std::vector<NamedTriangles> meshes = ten_small_meshes(100);
    Draw draw(kSeed);
    for (const NamedTriangles& named : meshes) {
        const double scale[3] = {draw.between(0.3, 3), draw.between(0.3, 3),
                                 draw.coin() ? draw.between(0.3, 3) : -draw.between(0.3, 3)};
        TriangleMesh scaled = named.mesh;
        for (Eigen::Vector3f& p : scaled.positions)
            for (int k = 0; k < 3; ++k) p[k] = static_cast<float>(double(p[k]) * scale[k]);
        const BakedMesh a(named.name, named.mesh), by_hand(named.name + " scaled", scaled);
        for (std::uint64_t i = 0; i < effort(30, 3); ++i) {
            Pose pose = random_pose(draw, a.part(), by_hand.part(), 1.5);
            static Distance<AabbTreeView> query;
            ASSERT_EQ(query.begin(a.part(), by_hand.part(), pose), Status::kOk);
            query.step();
            const double expected = query.upper();
            for (int k = 0; k < 3; ++k) pose.scale[k] = scale[k];
            ASSERT_EQ(query.begin(a.part(), a.part(), pose), Status::kOk);
            query.step();
            // The mesh scaled by hand was rounded to float once more.
            ASSERT_NEAR(query.upper(), expected, 1e-6 * (a.diagonal() + by_hand.diagonal()))
                << named.name << ", seed " << kSeed << ", " << text_of(pose);
        }
    }
}

TEST_F(DistanceTest, RefusesGoalsAndPosesThatMakeNoSense) {
    const BakedMesh mesh("soup", random_soup(1, 20));
    static Distance<AabbTreeView> query;
    DistanceGoal goal;
    goal.within = -1;
    EXPECT_EQ(query.begin(mesh.part(), mesh.part(), Pose(), goal), Status::kInvalidArgument);
    goal.within = NAN;
    EXPECT_EQ(query.begin(mesh.part(), mesh.part(), Pose(), goal), Status::kInvalidArgument);
    EXPECT_EQ(query.step(), Verdict::kUnresolved);
    Pose pose;
    pose.translation[1] = INFINITY;
    EXPECT_EQ(query.begin(mesh.part(), mesh.part(), pose), Status::kInvalidArgument);
    ShapeView bare = mesh.part();
    bare.aabb = AabbTreeView();
    EXPECT_EQ(query.begin(bare, mesh.part(), Pose()), Status::kNoTree);
}

}  // namespace
}  // namespace espalier::testing
