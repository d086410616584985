// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/surface/inside_test.h"

#include <gtest/gtest.h>

#include "builder/surface/winding_number.h"
#include "tests/builder/sphere/shapes.h"
#include "tests/support/draw.h"

namespace espalier {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

constexpr std::uint64_t kSeed = 20240611;

TEST(InsideTest, BoxAgreesWithCoordinatesAlsoOnGridLines) {
    const TriangleMesh mesh = shapes::box(Vector3f(0, 0, 0), Vector3f(1, 1, 1));
    const InsideTest test(mesh);
    ASSERT_EQ(test.kind(), SolidKind::kClosed);
    // Multiples of 1/4 put vertical rays through corners, edges and diagonals of the triangulation.
    for (int x = -1; x <= 5; ++x) {
        for (int y = -1; y <= 5; ++y) {
            for (int z = -1; z <= 5; ++z) {
                if (x % 4 == 0 || y % 4 == 0 || z % 4 == 0) continue;  // on the surface or its planes
                const bool expected = x > 0 && x < 4 && y > 0 && y < 4 && z > 0 && z < 4;
                EXPECT_EQ(test.inside(Vector3d(x, y, z) / 4.0), expected) << x << " " << y << " " << z;
            }
        }
    }
    EXPECT_TRUE(test.inside(Vector3d(0.5, 0.5, 0.5)));
}

TEST(InsideTest, InsideOutAndMixedOrientationAreTurned) {
    TriangleMesh mesh = shapes::inside_out(shapes::torus(1.0, 0.35, 24, 12));
    std::swap(mesh.triangles[7][0], mesh.triangles[7][1]);
    const InsideTest test(mesh);
    EXPECT_EQ(test.kind(), SolidKind::kClosed);
    EXPECT_GT(test.signed_volume(), 2.0);
    EXPECT_TRUE(test.inside(Vector3d(1, 0, 0)));
    EXPECT_FALSE(test.inside(Vector3d(0, 0, 0)));
}

TEST(InsideTest, OverlappingPartsAreInsideAndCavitiesAreNot) {
    const TriangleMesh two = shapes::joined(shapes::box(Vector3f(0, 0, 0), Vector3f(2, 2, 2)),
                                            shapes::box(Vector3f(1, 1, 1), Vector3f(3, 3, 3)));
    EXPECT_TRUE(InsideTest(two).inside(Vector3d(1.5, 1.4, 1.3)));
    const TriangleMesh hollow =
        shapes::joined(shapes::box(Vector3f(0, 0, 0), Vector3f(3, 3, 3)),
                       shapes::inside_out(shapes::box(Vector3f(1, 1, 1), Vector3f(2, 2, 2))));
    EXPECT_FALSE(InsideTest(hollow).inside(Vector3d(1.5, 1.4, 1.3)));
    EXPECT_TRUE(InsideTest(hollow).inside(Vector3d(0.5, 0.4, 0.3)));
}

TEST(InsideTest, OpenBoxUsesWindingNumber) {
    TriangleMesh mesh = shapes::box(Vector3f(0, 0, 0), Vector3f(1, 1, 1));
    mesh.triangles.resize(mesh.triangles.size() - 1);
    const InsideTest test(mesh);
    EXPECT_EQ(test.kind(), SolidKind::kWinding);
    EXPECT_TRUE(test.inside(Vector3d(0.3, 0.5, 0.5)));
    EXPECT_FALSE(test.inside(Vector3d(1.6, 0.5, 0.5)));
}

TEST(WindingNumber, MatchesTheSumOfSolidAngles) {
    const TriangleMesh mesh = shapes::torus(1.0, 0.35, 40, 30);
    const WindingNumber fast(mesh);
    testing::Draw draw(kSeed);
    for (int i = 0; i < 300; ++i) {
        const Vector3d p = 1.6 * draw.in_cube();
        double sum = 0.0;
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
            sum += solid_angle_fraction(mesh.corner(t, 0) - p, mesh.corner(t, 1) - p, mesh.corner(t, 2) - p);
        EXPECT_NEAR(sum, std::round(sum), 1e-6) << "seed " << kSeed << " draw " << i;
        EXPECT_NEAR(fast(p), sum, 0.01) << "seed " << kSeed << " draw " << i;
    }
}

TEST(InsideTest, ExactTestAgreesWithSolidAngles) {
    const TriangleMesh mesh = shapes::torus(1.0, 0.35, 40, 30);
    const InsideTest test(mesh);
    const WindingNumber fast(mesh, 4.0);
    testing::Draw draw(kSeed);
    for (int i = 0; i < 3000; ++i) {
        const Vector3d p = 1.4 * draw.in_cube();
        EXPECT_EQ(test.inside(p), fast(p) > 0.5) << "seed " << kSeed << " draw " << i;
    }
}

}  // namespace
}  // namespace espalier
