// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere_tree/level_statistics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "builder/sphere_tree/ball_measure.h"
#include "builder/sphere_tree/region.h"
#include "tests/sphere_tree/shapes.h"

namespace espalier {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

constexpr double kPi = 3.14159265358979;

TEST(UnionVolumes, twoOverlappingSpheresMatchTheLens) {
    const InsideTest inside(
        shapes::box(Vector3f(-9, -9, -9), Vector3f(-8, -8, -8)));  // far away: all is outside
    const std::vector<Ball> balls = {{Vector3d::Zero(), 1.0}, {Vector3d(1, 0, 0), 1.0}};
    const double lens = kPi * 5.0 / 12.0;
    const double expected = 2.0 * 4.0 / 3.0 * kPi - lens;
    const UnionVolumes volumes = union_volumes(balls, inside);
    EXPECT_NEAR(volumes.total, expected, 2e-3 * expected);
    EXPECT_NEAR(volumes.outside, volumes.total, 1e-12);
}

TEST(UnionVolumes, ballAroundABoxLeavesItsVolumeOutside) {
    const TriangleMesh box = shapes::box(Vector3f(-1, -1, -1), Vector3f(1, 1, 1));
    const InsideTest inside(box);
    const double radius = std::sqrt(3.0);
    const double expected = 4.0 / 3.0 * kPi * radius * radius * radius - 8.0;
    EXPECT_NEAR(union_volumes(std::vector<Ball>{{Vector3d::Zero(), radius}}, inside).outside, expected, 0.05);
    EXPECT_NEAR(solid_volume(inside), 8.0, 0.05);
}

TEST(MeasureBall, centreInThePlaneOfAFaceHasHalfOfItsBallOutside) {
    const InsideTest inside(shapes::box(Vector3f(-1, -1, -1), Vector3f(1, 1, 1)));
    const TriangleBoxes boxes(inside.oriented());
    for (const Vector3d& center : {Vector3d(1, 0, 0), Vector3d(0.25, -1, 0.125)}) {
        const Ball ball{center, 0.5};
        SurfaceQuadrature surface(pieces_in_ball(inside.oriented(), boxes, ball, 0.05, 0.05, 1e-12), inside,
                                  Vector3d::Zero(), 0.05);
        const double half = 2.0 / 3.0 * kPi * 0.125;
        EXPECT_NEAR(surface.outside(ball), half, 0.02 * half) << center.transpose();
    }
}

TEST(MeasureBall, agreesWithTheColumnsOnATorusAlsoForCentresAtTheSurface) {
    const TriangleMesh mesh = shapes::torus(1.0, 0.35, 50, 50);
    const InsideTest inside(mesh);
    const TriangleBoxes boxes(inside.oriented());
    const std::vector<Ball> balls = {{Vector3d(1, 0, 0), 0.5},
                                     {Vector3d(1.2, 0.1, 0.1), 0.4},
                                     {Vector3d(1.34, 0, 0), 0.3},
                                     {Vector3d(1.36, 0, 0), 0.3},
                                     {Vector3d(0.1, 0, 0), 0.9}};
    for (const Ball& ball : balls) {
        const Vector3d origin(0.5, 0.25, 0.125);
        SurfaceQuadrature surface(pieces_in_ball(inside.oriented(), boxes, ball, 0.05, 0.05, 1e-12), inside,
                                  origin, 0.05);
        const double expected = union_volumes(std::vector<Ball>{ball}, inside, 512).outside;
        EXPECT_NEAR(surface.outside({ball.center - origin, ball.radius}), expected, 0.02 * expected + 1e-3)
            << ball.center.transpose();
    }
}

TEST(MeasureBall, crowdsOfSmallTrianglesHideNothing) {
    // Thousands of triangles in a cell: the centre must still know on which side of them it is.
    const TriangleMesh mesh = shapes::torus(1.0, 0.1, 400, 60);
    const InsideTest inside(mesh);
    const TriangleBoxes boxes(inside.oriented());
    const Vector3d origin = Vector3d::Zero();
    const Ball around{Vector3d(1, 0, 0), 1.5};
    SurfaceQuadrature surface(pieces_in_ball(inside.oriented(), boxes, around, 0.3, 0.3, 1e-12), inside,
                              origin, 0.3);
    for (const double x : {0.88, 0.91, 0.95, 1.05, 1.09, 1.12}) {
        const Ball ball{Vector3d(x, 0.013, 0.017), 0.5};
        const double expected = union_volumes(std::vector<Ball>{ball}, inside, 512).outside;
        EXPECT_NEAR(surface.outside(ball), expected, 0.05 * expected) << x;
    }
}

}  // namespace
}  // namespace espalier
