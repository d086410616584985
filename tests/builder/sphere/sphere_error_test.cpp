// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere/coverage/sphere_error.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/builder/sphere/shapes.h"

namespace espalier {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

constexpr std::uint64_t kSeed = 7;

double unit(std::mt19937_64& engine) {
    return static_cast<double>(engine() >> 11) * 0x1.0p-53;
}

TEST(SphereError, BallAroundABoxMatchesTheClosedForm) {
    const TriangleMesh mesh = shapes::box(Vector3f(-1, -1, -1), Vector3f(1, 1, 1));
    const Solid solid(mesh);
    const SurfaceQuery query(mesh);
    const Ball ball{Vector3d::Zero(), std::sqrt(3.0)};
    const ErrorBounds bounds = sphere_error({query, solid}, ball, 0.05, 0.0);
    EXPECT_LE(bounds.lower, std::sqrt(3.0) - 1.0 + 1e-12);  // at the middle of a face
    EXPECT_GE(bounds.upper, std::sqrt(3.0) - 1.0 - 1e-12);
    EXPECT_LE(bounds.upper, 1.05 * (std::sqrt(3.0) - 1.0));
}

TEST(SphereError, BallInsideTheSolidHasNone) {
    const TriangleMesh mesh = shapes::box(Vector3f(-1, -1, -1), Vector3f(1, 1, 1));
    const Solid solid(mesh);
    const SurfaceQuery query(mesh);
    EXPECT_EQ(sphere_error({query, solid}, {Vector3d(0.1, 0, 0), 0.5}, 0.05, 0.0).upper, 0.0);
}

TEST(SphereError, OpenMeshMeasuresFromTheTriangles) {
    const TriangleMesh mesh = shapes::sheet(1);
    const Solid solid(mesh);
    const SurfaceQuery query(mesh);
    const ErrorBounds bounds = sphere_error({query, solid}, {Vector3d(0.5, 0.5, 0.25), 1.0}, 0.05, 0.0);
    EXPECT_GE(bounds.upper, 1.25);
    EXPECT_LE(bounds.upper, 1.25 * 1.05);
}

TEST(SphereError, BoundsHoldAndAreTightOnRandomBallsOfATorus) {
    const TriangleMesh mesh = shapes::torus(1.0, 0.35, 40, 24);
    const Solid solid(mesh);
    const SurfaceQuery query(solid.boundary());
    std::mt19937_64 engine(kSeed);
    for (int i = 0; i < 20; ++i) {
        const Ball ball{Vector3d(unit(engine), unit(engine), unit(engine)) * 2.0 - Vector3d::Constant(1.0),
                        0.2 + 0.6 * unit(engine)};
        const ErrorBounds bounds = sphere_error({query, solid}, ball, 0.05, 0.0);
        EXPECT_LE(bounds.upper, 1.05 * bounds.lower + 1e-12) << "seed " << kSeed << " ball " << i;
        for (int k = 0; k < 2000; ++k) {
            Vector3d d;
            do {
                d = Vector3d(unit(engine), unit(engine), unit(engine)) * 2.0 - Vector3d::Constant(1.0);
            } while (d.squaredNorm() > 1.0 || d.squaredNorm() < 1e-3);
            const Vector3d p = ball.center + ball.radius * d.normalized();
            const double distance = solid.inside(p) ? 0.0 : query.closest(p).distance;
            ASSERT_LE(distance, bounds.upper * (1.0 + 1e-9)) << "seed " << kSeed << " ball " << i;
        }
    }
}

TEST(SphereError, BallsThatHugATorusAreBoundTightlyInFewSteps) {
    const TriangleMesh mesh = shapes::torus(1.0, 0.35, 50, 50);
    const Solid solid(mesh);
    const SurfaceQuery query(solid.boundary());
    std::mt19937_64 engine(kSeed);
    for (int i = 0; i < 20; ++i) {
        const double turn = unit(engine);
        const double x = (1.0 - turn * turn) / (1.0 + turn * turn);
        const double y = 2.0 * turn / (1.0 + turn * turn);
        const Ball ball{Vector3d(x, y, 0.002 * unit(engine)), 0.35 + 0.003 * unit(engine)};
        const ErrorBounds bounds = sphere_error({query, solid}, ball, 0.05, 0.0, 500);
        EXPECT_GT(bounds.lower, 0.0) << "seed " << kSeed << " ball " << i;
        EXPECT_LE(bounds.upper, 1.05 * bounds.lower + 1e-12) << "seed " << kSeed << " ball " << i;
        EXPECT_TRUE(sphere_error_at_most({query, solid}, ball, bounds.upper, 500))
            << "seed " << kSeed << " ball " << i;
        EXPECT_FALSE(sphere_error_at_most({query, solid}, ball, 0.99 * bounds.lower, 500))
            << "seed " << kSeed << " ball " << i;
        for (int k = 0; k < 5000; ++k) {
            // Where the sphere protrudes at all: near the circle across the tube.
            const double s = 4.0 * unit(engine) - 2.0;
            const Vector3d across = Vector3d(x, y, 0) * (1.0 - s * s) + Vector3d::UnitZ() * (2.0 * s);
            const Vector3d along = Vector3d(-y, x, 0) * (0.4 * unit(engine) - 0.2);
            const Vector3d p = ball.center + ball.radius * (across.normalized() + along).normalized();
            const double distance = solid.inside(p) ? 0.0 : query.closest(p).distance;
            ASSERT_LE(distance, bounds.upper * (1.0 + 1e-9)) << "seed " << kSeed << " ball " << i;
        }
    }
}

TEST(SphereError, CavityCountsAsOutside) {
    const TriangleMesh mesh = shapes::joined(
        shapes::box(Vector3f(-1, -1, -1), Vector3f(1, 1, 1)),
        shapes::inside_out(shapes::box(Vector3f(-0.5F, -0.5F, -0.5F), Vector3f(0.5F, 0.5F, 0.5F))));
    const Solid solid(mesh);
    const SurfaceQuery query(solid.boundary());
    // 0.01 out at the right, 0.08 into the cavity at the left.
    const ErrorBounds bounds = sphere_error({query, solid}, {Vector3d(0.715, 0, 0), 0.295}, 0.02, 0.0);
    EXPECT_GE(bounds.upper, 0.08 - 1e-12);
    EXPECT_LE(bounds.upper, 1.02 * 0.08 + 1e-12);
}

TEST(SphereError, CentreOnACornerOfTheMeshIsBoundToo) {
    const TriangleMesh mesh = shapes::box(Vector3f(-1, -1, -1), Vector3f(1, 1, 1));
    const Solid solid(mesh);
    const SurfaceQuery query(mesh);
    for (const double shift : {0.0, 1e-12, 1e-3}) {
        const Ball ball{Vector3d::Constant(1.0 - shift), 0.5};
        const ErrorBounds bounds = sphere_error({query, solid}, ball, 0.05, 0.0);
        const double expected = std::sqrt(3.0) * (0.5 / std::sqrt(3.0) - shift);  // along the diagonal
        EXPECT_GE(bounds.upper, expected - 1e-12) << shift;
        EXPECT_LE(bounds.upper, 1.05 * expected) << shift;
    }
}

}  // namespace
}  // namespace espalier
