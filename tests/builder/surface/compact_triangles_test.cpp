// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/surface/compact_triangles.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "builder/surface/winding_number.h"
#include "tests/builder/sphere/shapes.h"
#include "tests/support/draw.h"

namespace espalier {
namespace {

using Eigen::Vector3d;

constexpr std::uint64_t kSeed = 5;
constexpr double kTwoPi = 6.283185307179586;

/// A star-shaped polygon with `corners` corners, as a fan around its first one, in the plane of x and y
/// turned by `turn`.
TriangleMesh fan(std::uint32_t corners, double ripple, const Eigen::Matrix3d& turn) {
    TriangleMesh mesh;
    for (std::uint32_t i = 0; i < corners; ++i) {
        const double angle = kTwoPi * i / corners;
        const double radius = 1.0 + ripple * std::cos(5.0 * angle);
        const Vector3d p(radius * std::cos(angle), radius * std::sin(angle), 0.0);
        mesh.positions.emplace_back((turn * p).cast<float>());
    }
    for (std::uint32_t i = 1; i + 1 < corners; ++i) mesh.triangles.push_back({0, i, i + 1});
    return mesh;
}

double exact_winding(const TriangleMesh& mesh, const Vector3d& p) {
    double sum = 0.0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        sum += solid_angle_fraction(mesh.corner(t, 0) - p, mesh.corner(t, 1) - p, mesh.corner(t, 2) - p);
    return sum;
}

double compact_winding(const TriangleMesh& mesh, const Vector3d& p) {
    double sum = 0.0;
    for (const CornerPoints& t : compact_triangles(mesh))
        sum += solid_angle_fraction(t[0] - p, t[1] - p, t[2] - p);
    return sum;
}

double longest_edges(const std::vector<CornerPoints>& triangles) {
    double sum = 0.0;
    for (const CornerPoints& t : triangles)
        sum += std::max({(t[1] - t[0]).norm(), (t[2] - t[1]).norm(), (t[0] - t[2]).norm()});
    return sum;
}

void expect_same_solid_angles(const TriangleMesh& mesh) {
    const WindingNumber fast(mesh);
    testing::Draw draw(kSeed);
    for (int i = 0; i < 100; ++i) {
        const Vector3d p = 2.0 * draw.in_cube();
        const double expected = exact_winding(mesh, p);
        ASSERT_NEAR(compact_winding(mesh, p), expected, 1e-4) << "seed " << kSeed << " draw " << i;
        ASSERT_NEAR(fast(p), expected, 0.01) << "seed " << kSeed << " draw " << i;
    }
}

TEST(CompactTriangles, PolygonWithManyCornersGetsCompactOnesWithTheSameSolidAngles) {
    const Eigen::Matrix3d turned = Eigen::Quaterniond(0.5, 0.1, -0.7, 0.3).normalized().toRotationMatrix();
    for (const Eigen::Matrix3d& turn : {Eigen::Matrix3d(Eigen::Matrix3d::Identity()), turned}) {
        for (const double ripple : {0.0, 0.6}) {
            const TriangleMesh mesh = fan(400, ripple, turn);
            const std::vector<CornerPoints> compact = compact_triangles(mesh);
            EXPECT_EQ(compact.size(), mesh.triangles.size());
            EXPECT_LT(longest_edges(compact), 100.0);  // the fan's: about 500
            expect_same_solid_angles(mesh);
        }
    }
}

TEST(CompactTriangles, HolesAndTheRestOfTheMeshStay) {
    // A ring between two circles, as slivers, on top of an open box.
    TriangleMesh ring;
    constexpr std::uint32_t kCorners = 300;
    for (std::uint32_t i = 0; i < kCorners; ++i) {
        const double angle = kTwoPi * i / kCorners;
        for (const double radius : {0.2, 1.5}) {
            ring.positions.emplace_back(
                Vector3d(radius * std::cos(angle), radius * std::sin(angle), 1.0).cast<float>());
        }
    }
    for (std::uint32_t i = 0; i < kCorners; ++i) {
        const std::uint32_t j = (i + 1) % kCorners;
        shapes::add_quad(ring, 2 * i, 2 * i + 1, 2 * j + 1, 2 * j);
    }
    const TriangleMesh mesh =
        shapes::joined(shapes::box(Eigen::Vector3f(-1, -1, -1), Eigen::Vector3f(1, 1, 0.5F)), ring);
    const std::vector<CornerPoints> compact = compact_triangles(mesh);
    EXPECT_LT(longest_edges(compact), 200.0);  // the ring's slivers: about 780
    for (std::size_t t = 0; t < 12; ++t) EXPECT_EQ(compact[t][0], mesh.corner(t, 0)) << t;
    expect_same_solid_angles(mesh);
}

TEST(CompactTriangles, MeshWithoutSliversIsLeftAsItIs) {
    const TriangleMesh mesh = shapes::torus(1.0, 0.35, 20, 20);
    const std::vector<CornerPoints> compact = compact_triangles(mesh);
    ASSERT_EQ(compact.size(), mesh.triangles.size());
    for (std::size_t t = 0; t < compact.size(); ++t) EXPECT_EQ(compact[t][1], mesh.corner(t, 1)) << t;
}

}  // namespace
}  // namespace espalier
