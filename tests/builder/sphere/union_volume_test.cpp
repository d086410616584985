// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere/union_volume.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/builder/sphere/shapes.h"

namespace espalier {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

constexpr double kPi = 3.14159265358979;

TEST(UnionVolumes, TwoOverlappingSpheresMatchTheLens) {
    const Solid solid(shapes::box(Vector3f(-9, -9, -9), Vector3f(-8, -8, -8)));  // far away: all is outside
    const std::vector<Ball> balls = {{Vector3d::Zero(), 1.0}, {Vector3d(1, 0, 0), 1.0}};
    const double lens = kPi * 5.0 / 12.0;
    const double expected = 2.0 * 4.0 / 3.0 * kPi - lens;
    const UnionVolumes volumes = union_volumes(balls, solid);
    EXPECT_NEAR(volumes.total, expected, 2e-3 * expected);
    EXPECT_NEAR(volumes.outside, volumes.total, 1e-12);
}

TEST(UnionVolumes, BallAroundABoxLeavesItsVolumeOutside) {
    const TriangleMesh box = shapes::box(Vector3f(-1, -1, -1), Vector3f(1, 1, 1));
    const Solid solid(box);
    const double radius = std::sqrt(3.0);
    const double expected = 4.0 / 3.0 * kPi * radius * radius * radius - 8.0;
    EXPECT_NEAR(union_volumes(std::vector<Ball>{{Vector3d::Zero(), radius}}, solid).outside, expected, 0.05);
    EXPECT_NEAR(solid_volume(solid), 8.0, 0.05);
}

TEST(UnionVolumes, AllOfAShellIsOutsideAndACappedBoxIsFull) {
    TriangleMesh box = shapes::box(Vector3f(-1, -1, -1), Vector3f(1, 1, 1));
    box.triangles.pop_back();
    const std::vector<Ball> balls = {{Vector3d::Zero(), 0.9}};
    const double ball = 4.0 / 3.0 * kPi * 0.729;
    const Solid shell = Solid::of(box, SolidChoice::kShell).value();
    EXPECT_NEAR(union_volumes(balls, shell).outside, ball, 0.01);
    EXPECT_EQ(solid_volume(shell), 0.0);
    const Solid capped = Solid::of(box, SolidChoice::kCapped).value();
    EXPECT_EQ(union_volumes(balls, capped).outside, 0.0);
    EXPECT_NEAR(solid_volume(capped), 8.0, 0.05);
}

}  // namespace
}  // namespace espalier
