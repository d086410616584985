// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere_tree/ball_measure.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <random>

#include "builder/sphere_tree/region.h"
#include "tests/sphere_tree/shapes.h"

namespace espalier {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

constexpr std::uint64_t kSeed = 23;
/// Of the surface's pieces and of the cells: what the fit has for balls like these.
constexpr double kSize = 0.06;
constexpr double kCell = 0.8 * kSize;

TriangleMesh closed_torus() {
    return shapes::torus(1.0, 0.35, 40, 24);
}

/// With a hole at the outer side, about as wide as the tube: around (1.35, 0, 0).
TriangleMesh open_torus() {
    TriangleMesh mesh = closed_torus();
    std::erase_if(mesh.triangles, [&](const Triangle& t) {
        return std::all_of(t.begin(), t.end(), [&](std::uint32_t v) {
            return (mesh.positions[v] - Vector3f(1.35F, 0, 0)).norm() < 0.35F;
        });
    });
    return mesh;
}

std::vector<Piece> pieces_of(const TriangleMesh& mesh) {
    std::vector<Piece> pieces;
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        pieces.push_back(whole_triangle(mesh, t));
    }
    return refine_pieces(pieces, kSize, std::size_t(1) << 20);
}

double area_of(const TriangleMesh& mesh) {
    double area = 0.0;
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        const Vector3d a = mesh.corner(t, 0);
        area += 0.5 * (mesh.corner(t, 1) - a).cross(mesh.corner(t, 2) - a).norm();
    }
    return area;
}

double volume_of(const Ball& ball) {
    return 4.18879020478639 * ball.radius * ball.radius * ball.radius;
}

/// The integral over the ball of one less the winding number, from random points.
double counted_outside(const InsideTest& inside, const Ball& ball) {
    std::mt19937_64 engine(kSeed);
    const auto unit = [&] { return static_cast<double>(engine() >> 11) * 0x1.0p-52 - 1.0; };
    constexpr int kPoints = 20000;
    double sum = 0.0;
    for (int i = 0; i < kPoints; ++i) {
        Vector3d p;
        do {
            p = Vector3d(unit(), unit(), unit());
        } while (p.squaredNorm() > 1.0);
        sum += 1.0 - inside.winding(ball.center + ball.radius * p);
    }
    return volume_of(ball) * sum / kPoints;
}

/// What the fit asks about: balls that hug the tube, at its wall, beyond it and in the hole of the torus.
std::vector<Ball> balls_at(const Vector3d& tube) {
    const Vector3d out = tube.normalized();
    return {{tube, 0.36},
            {tube, 0.6},
            {tube + 0.3 * out, 0.2},
            {tube + 0.36 * out, 0.3},
            {tube + 0.7 * out, 0.2},
            {tube + 0.2 * Vector3d::UnitZ(), 0.45}};
}

/// Whether all of the surface is given or only what a parent around the tube knows.
void expect_outside(const InsideTest& inside, const Vector3d& tube, double share) {
    const TriangleMesh& mesh = inside.oriented();
    const Ball reach{tube + Vector3d(0.05, -0.03, 0.02), 1.0};
    const auto near = pieces_in_ball(mesh, TriangleBoxes(mesh), reach, kSize, kSize, 1e-12);
    for (const Ball& ball : balls_at(tube)) {
        const double counted = counted_outside(inside, ball);
        for (const std::vector<Piece>& surface : {near, pieces_of(mesh)}) {
            SurfaceQuadrature quadrature(surface, inside, reach.center, kCell);
            EXPECT_NEAR(quadrature.outside({ball.center - reach.center, ball.radius}) / volume_of(ball),
                        counted / volume_of(ball), share)
                << "ball " << ball.center.transpose() << " radius " << ball.radius << " seed " << kSeed
                << ", " << surface.size() << " pieces";
        }
    }
}

TEST(BallMeasure, outsideOfAClosedTorusIsAsCounted) {
    const InsideTest inside(closed_torus());
    ASSERT_EQ(inside.kind(), SolidKind::kClosed);
    expect_outside(inside, Vector3d(0.6, 0.8, 0), 0.02);
}

TEST(BallMeasure, outsideNearTheHoleOfAnOpenTorusIsAsCountedByWindingNumbers) {
    const InsideTest inside(open_torus());
    ASSERT_EQ(inside.kind(), SolidKind::kWinding);
    // The hole is felt: no whole numbers here.
    EXPECT_LT(inside.winding(Vector3d(1.2, 0, 0)), 0.8);
    EXPECT_GT(inside.winding(Vector3d(1.5, 0, 0)), 0.1);
    expect_outside(inside, Vector3d(1, 0, 0), 0.03);
}

TEST(BallMeasure, outsideAwayFromTheHoleOfAnOpenTorusIsAsCountedByWindingNumbers) {
    const InsideTest inside(open_torus());
    for (const Vector3d& tube : {Vector3d(-1, 0, 0), Vector3d(0.6, 0.8, 0)}) {
        expect_outside(inside, tube, 0.03);
    }
}

TEST(BallMeasure, answersDoNotDependOnTheBallsAskedBefore) {
    const InsideTest inside(open_torus());
    const std::vector<Piece> surface = pieces_of(inside.oriented());
    SurfaceQuadrature many(surface, inside, Vector3d::Zero(), kCell);
    for (const Vector3d& tube : {Vector3d(1, 0, 0), Vector3d(-1, 0, 0)}) {
        for (const Ball& ball : balls_at(tube)) {
            SurfaceQuadrature one(surface, inside, Vector3d::Zero(), kCell);
            EXPECT_NEAR(many.outside(ball), one.outside(ball), 0.01 * volume_of(ball))
                << "ball " << ball.center.transpose() << " radius " << ball.radius;
        }
    }
}

TEST(BallMeasure, areaInABallAroundEverythingIsThatOfTheSurfaceAndInHalfOfItHalf) {
    for (const TriangleMesh& mesh : {closed_torus(), open_torus()}) {
        const InsideTest inside(mesh);
        SurfaceQuadrature quadrature(pieces_of(inside.oriented()), inside, Vector3d::Zero(), kCell);
        EXPECT_NEAR(quadrature.area({Vector3d(0.1, 0, 0), 2.0}), area_of(mesh), 1e-4 * area_of(mesh));
        EXPECT_EQ(quadrature.area({Vector3d::Zero(), 0.5}), 0.0);
    }
    // So far away, a sphere through the middle is nearly a plane.
    const InsideTest inside(closed_torus());
    SurfaceQuadrature quadrature(pieces_of(inside.oriented()), inside, Vector3d::Zero(), kCell);
    EXPECT_NEAR(quadrature.area({Vector3d(0, 100, 0), 100.0}), 0.5 * area_of(closed_torus()),
                0.03 * area_of(closed_torus()));
}

}  // namespace
}  // namespace espalier
