// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere_tree/sphere_error.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/sphere_tree/shapes.h"

namespace espalier {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

constexpr std::uint64_t kSeed = 7;

double unit(std::mt19937_64& engine) {
    return static_cast<double>(engine() >> 11) * 0x1.0p-53;
}

TEST(SphereError, ballAroundABoxMatchesTheClosedForm) {
    const TriangleMesh mesh = shapes::box(Vector3f(-1, -1, -1), Vector3f(1, 1, 1));
    const InsideTest inside(mesh);
    const SurfaceQuery query(mesh);
    const Ball ball{Vector3d::Zero(), std::sqrt(3.0)};
    const ErrorBounds bounds = sphere_error({mesh, query, inside}, ball, 0.05, 0.0);
    EXPECT_LE(bounds.lower, std::sqrt(3.0) - 1.0 + 1e-12);  // at the middle of a face
    EXPECT_GE(bounds.upper, std::sqrt(3.0) - 1.0 - 1e-12);
    EXPECT_LE(bounds.upper, 1.05 * (std::sqrt(3.0) - 1.0));
}

TEST(SphereError, ballInsideTheSolidHasNone) {
    const TriangleMesh mesh = shapes::box(Vector3f(-1, -1, -1), Vector3f(1, 1, 1));
    const InsideTest inside(mesh);
    const SurfaceQuery query(mesh);
    EXPECT_EQ(sphere_error({mesh, query, inside}, {Vector3d(0.1, 0, 0), 0.5}, 0.05, 0.0).upper, 0.0);
}

TEST(SphereError, openMeshMeasuresFromTheTriangles) {
    const TriangleMesh mesh = shapes::sheet(1);
    const InsideTest inside(mesh);
    const SurfaceQuery query(mesh);
    const ErrorBounds bounds =
        sphere_error({mesh, query, inside}, {Vector3d(0.5, 0.5, 0.25), 1.0}, 0.05, 0.0);
    EXPECT_GE(bounds.upper, 1.25);
    EXPECT_LE(bounds.upper, 1.25 * 1.05);
}

TEST(SphereError, boundsHoldAndAreTightOnRandomBallsOfATorus) {
    const TriangleMesh mesh = shapes::torus(1.0, 0.35, 40, 24);
    const InsideTest inside(mesh);
    const SurfaceQuery query(inside.oriented());
    std::mt19937_64 engine(kSeed);
    for (int i = 0; i < 20; ++i) {
        const Ball ball{Vector3d(unit(engine), unit(engine), unit(engine)) * 2.0 - Vector3d::Constant(1.0),
                        0.2 + 0.6 * unit(engine)};
        const ErrorBounds bounds = sphere_error({mesh, query, inside}, ball, 0.05, 0.0);
        EXPECT_LE(bounds.upper, 1.05 * bounds.lower + 1e-12) << "seed " << kSeed << " ball " << i;
        for (int k = 0; k < 2000; ++k) {
            Vector3d d;
            do {
                d = Vector3d(unit(engine), unit(engine), unit(engine)) * 2.0 - Vector3d::Constant(1.0);
            } while (d.squaredNorm() > 1.0 || d.squaredNorm() < 1e-3);
            const Vector3d p = ball.center + ball.radius * d.normalized();
            const double distance = inside.inside(p) ? 0.0 : query.closest(p).distance;
            ASSERT_LE(distance, bounds.upper * (1.0 + 1e-9)) << "seed " << kSeed << " ball " << i;
        }
    }
}

}  // namespace
}  // namespace espalier
