// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere/coverage/cover_level.h"

#include <gtest/gtest.h>

#include <cmath>

#include "builder/sphere/coverage/region.h"
#include "builder/sphere/sphere_tree.h"
#include "tests/builder/sphere/shapes.h"

namespace espalier {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

const double kSlack = coverage_slack(32.0);

/// Balls at the octants' middles of a box from 0 to 1, or so much nearer to its corners.
std::vector<Ball> octant_balls(double radius, double outward = 0.0) {
    std::vector<Ball> balls;
    for (unsigned i = 0; i < 8; ++i) {
        const Vector3d side((i & 1) ? 1.0 : -1.0, (i & 2) ? 1.0 : -1.0, (i & 4) ? 1.0 : -1.0);
        balls.push_back({Vector3d::Constant(0.5) + (0.25 + outward) * side, radius});
    }
    return balls;
}

void cover(const TriangleMesh& mesh, std::vector<Siblings>& groups) {
    cover_level(mesh, TriangleBoxes(mesh), groups, kSlack);
}

/// By the proof that every tree must pass.
bool proved(const TriangleMesh& mesh, const Ball& root, const std::vector<Ball>& balls) {
    SphereTree tree;
    const auto add = [&](const Ball& ball) {
        const Ball rounded = round_outward(ball, kSlack);
        Sphere sphere;
        sphere.center = rounded.center.cast<float>();
        sphere.radius = static_cast<float>(rounded.radius);
        tree.spheres.push_back(sphere);
    };
    add(root);
    for (const Ball& ball : balls) add(ball);
    const auto count = static_cast<std::uint32_t>(balls.size());
    tree.spheres[0].first_child = 1;
    tree.spheres[0].child_count = count;
    tree.levels = {{0, 1}, {1, count}};
    return check_sphere_coverage(mesh, view_of(tree)).value().proved;
}

bool corners_covered(const TriangleMesh& mesh, const std::vector<Ball>& balls) {
    return std::all_of(mesh.positions.begin(), mesh.positions.end(), [&](const Vector3f& p) {
        return std::any_of(balls.begin(), balls.end(), [&](const Ball& ball) {
            return (p.cast<double>() - ball.center).norm() <= ball.radius;
        });
    });
}

TEST(CoverLevel, BallsAroundAllCornersOfABoxGrowUntilNoGapIsLeft) {
    const TriangleMesh mesh = shapes::box(Vector3f(0, 0, 0), Vector3f(1, 1, 1));
    const Ball root{Vector3d::Constant(0.5), 0.8661};
    std::vector<Siblings> groups(1);
    groups[0] = {{}, octant_balls(0.3, 0.2), 0.02};
    const std::vector<Ball> before = groups[0].children;
    ASSERT_TRUE(corners_covered(mesh, before));
    ASSERT_FALSE(proved(mesh, root, before));
    cover(mesh, groups);
    const std::vector<Ball>& after = groups[0].children;
    EXPECT_TRUE(proved(mesh, root, after));
    ASSERT_EQ(after.size(), before.size());
    for (std::size_t i = 0; i < after.size(); ++i) {
        EXPECT_EQ(after[i].center, before[i].center) << i;
        EXPECT_GE(after[i].radius, before[i].radius) << i;
        EXPECT_LT(after[i].radius, 0.8661) << i << " is as large as the ball around all";
    }
}

TEST(CoverLevel, GapsBetweenBallsAlongATorusAreClosed) {
    const TriangleMesh mesh = shapes::torus(1.0, 0.35, 12, 8);
    const Ball root{Vector3d::Zero(), 1.4};
    std::vector<Ball> balls;
    for (std::size_t i = 0; i < 12; ++i) {
        const Vector3d middle = 0.5 * (mesh.positions[8 * i] + mesh.positions[8 * i + 4]).cast<double>();
        balls.push_back({middle, 0.3501});
    }
    ASSERT_TRUE(corners_covered(mesh, balls));
    ASSERT_FALSE(proved(mesh, root, balls));
    std::vector<Siblings> groups(1);
    groups[0] = {{}, balls, 0.02};
    cover(mesh, groups);
    EXPECT_TRUE(proved(mesh, root, groups[0].children));
}

TEST(CoverLevel, BallsThatCoverAlreadyStayAsTheyAre) {
    const TriangleMesh mesh = shapes::box(Vector3f(0, 0, 0), Vector3f(1, 1, 1));
    std::vector<Siblings> groups(1);
    groups[0] = {{}, octant_balls(0.47), 0.02};
    cover(mesh, groups);
    for (const Ball& ball : groups[0].children) EXPECT_EQ(ball.radius, 0.47);
}

TEST(CoverLevel, PieceIsNotCoveredByAChildIfOneOfItsAncestorsDoesNotContainIt) {
    const TriangleMesh left = shapes::box(Vector3f(0, 0, 0), Vector3f(1, 1, 1));
    const TriangleMesh right = shapes::box(Vector3f(3, 0, 0), Vector3f(4, 1, 1));
    const Ball around_left{Vector3d(0.5, 0.5, 0.5), 0.9};
    const Ball around_right{Vector3d(3.5, 0.5, 0.5), 0.9};
    const Ball around_both{Vector3d(2, 0.5, 0.5), 2.2};
    std::vector<Siblings> groups(2);
    // The left one's second child contains all of the right box, and so does its parent, but not what is
    // above.
    groups[0] = {{around_both, around_left}, {{around_left.center, 0.1}, {around_right.center, 1.0}}, 0.05};
    groups[1] = {{around_both, around_right}, {{around_right.center, 0.1}}, 0.05};
    cover(shapes::joined(left, right), groups);
    EXPECT_TRUE(proved(left, around_left, {groups[0].children[0]}));
    EXPECT_EQ(groups[0].children[1].radius, 1.0);
    EXPECT_TRUE(proved(right, around_right, groups[1].children));
    EXPECT_LT(groups[1].children[0].radius, 0.8661);
}

/// Two parents that end `overlap` beyond x = 0.47, from either side, and are their own children; and a third
/// one around both with a child of its own. Pieces of the usual size are in neither of the two where these
/// meet.
std::vector<Siblings> siblings_with_seam(double overlap, const Vector3d& third_child) {
    const Ball left{Vector3d(-20.03, 0.5, 0.5), 20.5 + overlap};
    const Ball right{Vector3d(20.97, 0.5, 0.5), 20.5 + overlap};
    const Ball around{Vector3d::Constant(0.5), 9.0};
    return {{{left}, {left}, 0.1}, {{right}, {right}, 0.1}, {{around}, {{third_child, 0.01}}, 0.1}};
}

const Vector3d kFarAway(5, 5, 5);

TEST(CoverLevel, ChildFarAwayDoesNotComeToASeamOfParentsWhoseChildrenCoverIt) {
    const TriangleMesh mesh = shapes::box(Vector3f(0, 0, 0), Vector3f(1, 1, 1));
    std::vector<Siblings> groups = siblings_with_seam(0.02, kFarAway);
    cover(mesh, groups);
    for (const Siblings& siblings : {groups[0], groups[1]}) {
        EXPECT_EQ(siblings.ancestors[0].radius, 20.52);
        EXPECT_EQ(siblings.children[0].radius, 20.52);
    }
    EXPECT_EQ(groups[2].children[0].radius, 0.01);
}

TEST(CoverLevel, ParentsGrowALittleForAGapBetweenThemIfTheOnlyChildThatMayCoverItIsFarAway) {
    const TriangleMesh mesh = shapes::box(Vector3f(0, 0, 0), Vector3f(1, 1, 1));
    std::vector<Siblings> groups = siblings_with_seam(-0.01, kFarAway);
    cover(mesh, groups);
    EXPECT_EQ(groups[2].children[0].radius, 0.01);
    EXPECT_EQ(groups[2].ancestors[0].radius, 9.0);
    std::vector<Ball> covering;
    for (const Siblings& siblings : {groups[0], groups[1]}) {
        EXPECT_LT(siblings.ancestors[0].radius, 20.54);
        // Its child is no larger than what it is in: the parent itself.
        EXPECT_LE(siblings.children[0].radius, siblings.ancestors[0].radius);
        covering.push_back(siblings.children[0]);
    }
    EXPECT_TRUE(proved(mesh, groups[2].ancestors[0], covering));
}

TEST(CoverLevel, ChildThatIsNearComesToAGapBetweenOtherParents) {
    const TriangleMesh mesh = shapes::box(Vector3f(0, 0, 0), Vector3f(1, 1, 1));
    std::vector<Siblings> groups = siblings_with_seam(-0.01, Vector3d(0.47, 0.5, 0.5));
    cover(mesh, groups);
    const Ball& child = groups[2].children[0];
    for (const Vector3d& point : {Vector3d(0.47, 0, 0), Vector3d(0.47, 1, 0), Vector3d(0.47, 0, 1)})
        EXPECT_LE((point - child.center).norm(), child.radius);
    EXPECT_LT(child.radius, 0.8);
    EXPECT_EQ(groups[0].ancestors[0].radius, 20.49);
    EXPECT_EQ(groups[1].ancestors[0].radius, 20.49);
}

TEST(CoverLevel, PieceInTheAncestorsOfTwoGroupsIsCoveredOnce) {
    // The second parent's child is far from the surface in both parents, and need not come.
    const TriangleMesh mesh = shapes::box(Vector3f(0, 0, 0), Vector3f(1, 1, 1));
    const Ball around{Vector3d::Constant(0.5), 0.9};
    std::vector<Siblings> groups(2);
    groups[0] = {{around}, octant_balls(0.47), 0.02};
    groups[1] = {{around}, {{Vector3d(0.5, 0.5, 0.5), 0.01}}, 0.02};
    cover(mesh, groups);
    EXPECT_EQ(groups[1].children[0].radius, 0.01);
    for (const Ball& ball : groups[0].children) EXPECT_EQ(ball.radius, 0.47);
}

}  // namespace
}  // namespace espalier
