// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere_tree/lone_corners.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "builder/sphere_tree/cover_level.h"
#include "builder/sphere_tree/smallest_ball.h"
#include "tests/sphere_tree/shapes.h"

namespace espalier {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

constexpr std::uint64_t kSeed = 5;
constexpr double kSmallest = 0.02;
const double kSlack = coverage_slack(4.0);
const Chain kNoChain;

double unit(std::mt19937_64& engine) {
    return static_cast<double>(engine() >> 11) * 0x1.0p-53;
}

double distance(const Vector3d& point, const Ball& ball) {
    return (point - ball.center).norm();
}

std::vector<Vector3d> corners_of(const TriangleMesh& mesh, const std::vector<Ball>& balls, std::size_t i) {
    std::vector<ChainedBall> others;
    for (std::size_t k = 0; k < balls.size(); ++k) {
        if (k != i) {
            others.push_back({balls[k], &kNoChain});
        }
    }
    return corners_only_in(mesh, TriangleBoxes(mesh), {balls[i], &kNoChain}, others, kSmallest, kSlack);
}

Ball shrunk(const std::vector<Vector3d>& corners) {
    Ball ball = smallest_ball(corners);
    ball.radius += 2.0 * kSlack;
    return ball;
}

/// Whether no ball has to grow. Pieces are split farther than there, where they are in no ball as a whole.
bool cover_as_they_are(const TriangleMesh& mesh, const std::vector<Ball>& balls) {
    std::vector<Family> families(1);
    families[0] = {{}, balls, kSmallest / 64.0};
    cover_level(mesh, TriangleBoxes(mesh), families, kSlack);
    for (std::size_t i = 0; i < balls.size(); ++i) {
        if (families[0].children[i].radius > balls[i].radius * (1.0 + 1e-6)) {
            return false;
        }
    }
    return true;
}

/// Two balls that cover a sheet from 0 to 1, one on the left and one on the right.
const std::vector<Ball> kLeftAndRight = {{Vector3d(0.25, 0.5, 0.1), 0.65}, {Vector3d(0.75, 0.5, -0.1), 0.62}};

TEST(LoneCorners, thoseOfTwoBallsOverASheetAreInTheBallAndNotDeepInTheOther) {
    const TriangleMesh mesh = shapes::sheet(3);
    ASSERT_TRUE(cover_as_they_are(mesh, kLeftAndRight));
    for (const std::size_t i : {0U, 1U}) {
        const Ball& other = kLeftAndRight[1 - i];
        const std::vector<Vector3d> corners = corners_of(mesh, kLeftAndRight, i);
        ASSERT_FALSE(corners.empty());
        for (const Vector3d& corner : corners) {
            EXPECT_LE(distance(corner, kLeftAndRight[i]), kLeftAndRight[i].radius);
            // Its piece is no longer than that, and has a corner outside the other.
            EXPECT_GE(distance(corner, other), other.radius - kSmallest - 2.0 * kSlack);
            EXPECT_EQ(corner.z(), 0.0);
        }
    }
}

TEST(LoneCorners, everyPointOfASheetThatIsNotInTheOtherIsInTheBallAroundThem) {
    const TriangleMesh mesh = shapes::sheet(3);
    std::mt19937_64 engine(kSeed);
    for (const std::size_t i : {0U, 1U}) {
        const Ball ball = shrunk(corners_of(mesh, kLeftAndRight, i));
        EXPECT_LT(ball.radius, 0.95 * kLeftAndRight[i].radius);
        const Ball& other = kLeftAndRight[1 - i];
        std::size_t alone = 0;
        for (int k = 0; k < 20000; ++k) {
            const Vector3d point(unit(engine), unit(engine), 0.0);
            if (distance(point, other) > other.radius) {
                ++alone;
                ASSERT_LE(distance(point, ball), ball.radius) << "seed " << kSeed << " " << point.transpose();
            }
        }
        EXPECT_GT(alone, 1000U);
    }
}

TEST(LoneCorners, ballAroundThemCoversASheetWithTheOtherAndASmallerOneDoesNot) {
    const TriangleMesh mesh = shapes::sheet(3);
    for (const std::size_t i : {0U, 1U}) {
        std::vector<Ball> balls = kLeftAndRight;
        balls[i] = shrunk(corners_of(mesh, balls, i));
        EXPECT_TRUE(cover_as_they_are(mesh, balls)) << i;
        // Corners may be as far inside the other as the smallest piece is long.
        balls[i].radius -= 2.0 * kSmallest;
        EXPECT_FALSE(cover_as_they_are(mesh, balls)) << i;
    }
}

TEST(LoneCorners, ballAroundThemCoversWhereBallsOverlapByLessThanTheSmallestPiece) {
    const TriangleMesh mesh = shapes::sheet(3);
    // They meet at the sheet's edges where no bisection ends, and overlap by about 0.01 there.
    const std::vector<Ball> start = {{Vector3d(0.2, 0.5, 0.0), std::hypot(0.2, 0.5) + 0.002},
                                     {Vector3d(0.7, 0.5, 0.0), std::hypot(0.3, 0.5) + 0.002}};
    ASSERT_TRUE(cover_as_they_are(mesh, start));
    for (const std::size_t i : {0U, 1U}) {
        std::vector<Ball> balls = start;
        balls[i] = shrunk(corners_of(mesh, balls, i));
        EXPECT_TRUE(cover_as_they_are(mesh, balls)) << i;
    }
}

TEST(LoneCorners, ballsOfABoxShrunkOneAfterTheOtherStillCoverIt) {
    const TriangleMesh mesh = shapes::box(Vector3f(0, 0, 0), Vector3f(1, 1, 1));
    std::vector<Ball> balls;
    for (unsigned i = 0; i < 8; ++i) {
        const Vector3d side((i & 1) ? 1.0 : -1.0, (i & 2) ? 1.0 : -1.0, (i & 4) ? 1.0 : -1.0);
        balls.push_back({Vector3d::Constant(0.5) + 0.25 * side, 0.5});
    }
    ASSERT_TRUE(cover_as_they_are(mesh, balls));
    for (std::size_t i = 0; i < balls.size(); ++i) {
        const std::vector<Vector3d> corners = corners_of(mesh, balls, i);
        ASSERT_FALSE(corners.empty()) << i;
        balls[i] = shrunk(corners);
        EXPECT_LT(balls[i].radius, 0.5) << i;
        EXPECT_TRUE(cover_as_they_are(mesh, balls)) << i;
    }
}

TEST(LoneCorners, ballWithoutOthersHasAllCornersOfTheMesh) {
    const TriangleMesh mesh = shapes::sheet(3);
    const std::vector<Vector3d> corners = corners_of(mesh, {{Vector3d(0.5, 0.5, 0.0), 0.8}}, 0);
    EXPECT_EQ(corners.size(), 3 * mesh.triangles.size());  // as they are: nothing to split
    for (const Vector3f& position : mesh.positions) {
        EXPECT_NE(std::find(corners.begin(), corners.end(), position.cast<double>()), corners.end());
    }
}

TEST(LoneCorners, ballThatAnotherOneMakesUselessHasNone) {
    const TriangleMesh mesh = shapes::sheet(3);
    const std::vector<Ball> balls = {{Vector3d(0.3, 0.5, 0.0), 0.2}, {Vector3d(0.5, 0.5, 0.0), 0.8}};
    EXPECT_TRUE(corners_of(mesh, balls, 0).empty());
    EXPECT_FALSE(corners_of(mesh, balls, 1).empty());
}

TEST(LoneCorners, twoOthersCoverTogetherWhatNeitherCoversAlone) {
    const TriangleMesh mesh = shapes::sheet(1);  // a triangle is in neither as a whole
    std::vector<Ball> balls = kLeftAndRight;
    balls.push_back({Vector3d(0.5, 0.5, 0.0), 0.8});
    EXPECT_TRUE(corners_of(mesh, balls, 2).empty());
}

TEST(LoneCorners, otherBallDoesNotCoverWhatIsNotInItsChain) {
    const TriangleMesh mesh = shapes::sheet(3);
    const TriangleBoxes boxes(mesh);
    const Ball around{Vector3d(0.5, 0.5, 0.0), 0.8};
    const Chain right = {around, {Vector3d(1.0, 0.5, 0.0), 0.6}};
    const std::vector<Vector3d> corners =
        corners_only_in(mesh, boxes, {around, &kNoChain}, {{around, &right}}, kSmallest, kSlack);
    ASSERT_FALSE(corners.empty());
    for (const Vector3d& corner : corners) {
        EXPECT_GE(distance(corner, right[1]), right[1].radius - kSmallest - 2.0 * kSlack);
    }
    EXPECT_TRUE(cover_as_they_are(mesh, {shrunk(corners), right[1]}));
}

TEST(LoneCorners, ballDoesNotCoverWhatIsNotInItsOwnChain) {
    const TriangleMesh mesh = shapes::sheet(3);
    const Ball around{Vector3d(0.5, 0.5, 0.0), 0.8};
    const Chain left = {{Vector3d(0.0, 0.5, 0.0), 0.6}};
    const std::vector<Vector3d> corners =
        corners_only_in(mesh, TriangleBoxes(mesh), {around, &left}, {}, kSmallest, kSlack);
    ASSERT_FALSE(corners.empty());
    double most = 0.0;
    for (const Vector3d& corner : corners) {
        EXPECT_LE(distance(corner, left[0]), 0.6);
        most = std::max(most, corner.x());
    }
    EXPECT_GT(most, 0.6 - kSmallest);
}

}  // namespace
}  // namespace espalier
