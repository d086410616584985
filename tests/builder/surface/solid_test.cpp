// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/surface/solid.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "builder/surface/holes.h"
#include "builder/surface/surface_query.h"
#include "tests/builder/sphere/shapes.h"
#include "tests/support/draw.h"

namespace espalier {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

constexpr std::uint64_t kSeed = 20240611;

TriangleMesh unit_box() {
    return shapes::box(Vector3f(0, 0, 0), Vector3f(1, 1, 1));
}

/// Sum of the triangles' solid angles (van Oosterom and Strackee 1983) in turns.
double winding(const TriangleMesh& mesh, const Vector3d& p) {
    double sum = 0.0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const Vector3d a = mesh.corner(t, 0) - p, b = mesh.corner(t, 1) - p, c = mesh.corner(t, 2) - p;
        const double la = a.norm(), lb = b.norm(), lc = c.norm();
        sum += std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
    }
    return sum / (2.0 * M_PI);
}

/// A torus with one triangle in `every` missing.
TriangleMesh torus_with_holes(std::size_t every) {
    TriangleMesh mesh = shapes::torus(1.0, 0.35, 60, 40);
    std::vector<Triangle> kept;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        if (t % every != 0) kept.push_back(mesh.triangles[t]);
    mesh.triangles = kept;
    return mesh;
}

TriangleMesh moebius_strip() {
    TriangleMesh mesh;
    constexpr std::uint32_t kAround = 16;
    for (std::uint32_t i = 0; i < kAround; ++i) {
        const double u = 2.0 * M_PI * i / kAround;
        for (const double v : {-0.3, 0.3}) {
            const double r = 1.0 + v * std::cos(0.5 * u);
            mesh.positions.emplace_back(
                Vector3d(r * std::cos(u), r * std::sin(u), v * std::sin(0.5 * u)).cast<float>());
        }
    }
    for (std::uint32_t i = 0; i + 1 < kAround; ++i)
        shapes::add_quad(mesh, 2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2);
    shapes::add_quad(mesh, 2 * kAround - 2, 2 * kAround - 1, 0, 1);
    return mesh;
}

TEST(Solid, BoxAgreesWithCoordinatesAlsoOnGridLines) {
    const Solid solid(unit_box());
    ASSERT_EQ(solid.kind(), SolidKind::kClosed);
    // Multiples of 1/4 put vertical rays through corners, edges and diagonals of the triangulation.
    for (int x = -1; x <= 5; ++x) {
        for (int y = -1; y <= 5; ++y) {
            for (int z = -1; z <= 5; ++z) {
                if (x % 4 == 0 || y % 4 == 0 || z % 4 == 0) continue;  // on the surface or its planes
                const bool expected = x > 0 && x < 4 && y > 0 && y < 4 && z > 0 && z < 4;
                EXPECT_EQ(solid.inside(Vector3d(x, y, z) / 4.0), expected) << x << " " << y << " " << z;
            }
        }
    }
    EXPECT_TRUE(solid.inside(Vector3d(0.5, 0.5, 0.5)));
}

TEST(Solid, InsideOutAndMixedOrientationAreTurned) {
    TriangleMesh mesh = shapes::inside_out(shapes::torus(1.0, 0.35, 24, 12));
    std::swap(mesh.triangles[7][0], mesh.triangles[7][1]);
    const Solid solid(mesh);
    EXPECT_EQ(solid.kind(), SolidKind::kClosed);
    EXPECT_NEAR(winding(solid.surface(), Vector3d(1, 0, 0)), 1.0, 1e-9);
    EXPECT_TRUE(solid.inside(Vector3d(1, 0, 0)));
    EXPECT_FALSE(solid.inside(Vector3d(0, 0, 0)));
}

TEST(Solid, OverlappingPartsAreInsideAndCavitiesAreNot) {
    const TriangleMesh two = shapes::joined(shapes::box(Vector3f(0, 0, 0), Vector3f(2, 2, 2)),
                                            shapes::box(Vector3f(1, 1, 1), Vector3f(3, 3, 3)));
    EXPECT_TRUE(Solid(two).inside(Vector3d(1.5, 1.4, 1.3)));
    const TriangleMesh hollow =
        shapes::joined(shapes::box(Vector3f(0, 0, 0), Vector3f(3, 3, 3)),
                       shapes::inside_out(shapes::box(Vector3f(1, 1, 1), Vector3f(2, 2, 2))));
    EXPECT_FALSE(Solid(hollow).inside(Vector3d(1.5, 1.4, 1.3)));
    EXPECT_TRUE(Solid(hollow).inside(Vector3d(0.5, 0.4, 0.3)));
}

TEST(Solid, BoxesThatShareAnEdgeAreClosed) {
    TriangleMesh mesh = unit_box();
    const TriangleMesh other = shapes::box(Vector3f(1, 1, 0), Vector3f(2, 2, 1));
    const std::size_t first = mesh.positions.size();
    mesh.positions.insert(mesh.positions.end(), other.positions.begin(), other.positions.end());
    for (Triangle t : other.triangles) {
        for (std::uint32_t& v : t) {
            v += static_cast<std::uint32_t>(first);
            for (std::uint32_t k = 0; k < first; ++k)
                if (mesh.positions[k] == mesh.positions[v]) v = k;
        }
        mesh.triangles.push_back(t);
    }
    const Solid solid = Solid::of(mesh, SolidChoice::kClosed).value();
    EXPECT_TRUE(solid.inside(Vector3d(0.4, 0.5, 0.6)));
    EXPECT_TRUE(solid.inside(Vector3d(1.4, 1.5, 0.6)));
    EXPECT_FALSE(solid.inside(Vector3d(1.4, 0.5, 0.6)));
}

TEST(Solid, InsideAgreesWithSolidAngles) {
    testing::Draw draw(kSeed);
    for (const TriangleMesh& mesh : {shapes::torus(1.0, 0.35, 40, 30), torus_with_holes(700)}) {
        const Solid solid(mesh);
        for (int i = 0; i < 1000; ++i) {
            const Vector3d p = 1.4 * draw.in_cube();
            EXPECT_EQ(solid.inside(p), winding(solid.boundary(), p) > 0.5)
                << "seed " << kSeed << " draw " << i;
        }
    }
}

TEST(Solid, SmallHolesAreFilledAndNamed) {
    const TriangleMesh mesh = torus_with_holes(700);
    const Solid solid(mesh);
    ASSERT_EQ(solid.kind(), SolidKind::kCapped);
    EXPECT_EQ(solid.holes(), 7u);
    EXPECT_TRUE(holes_of(solid.boundary()).empty());
    EXPECT_EQ(solid.surface().triangles.size(), mesh.triangles.size());
    EXPECT_TRUE(std::equal(solid.surface().triangles.begin(), solid.surface().triangles.end(),
                           solid.boundary().triangles.begin()));
    double longest = 0.0;
    for (const Hole& hole : holes_of(mesh)) longest = std::max(longest, boundary_length(mesh, hole));
    EXPECT_EQ(solid.longest_hole(), longest);
    EXPECT_GT(longest, 0.2);
}

TEST(Solid, NoPointOfACapIsFartherThanTheFilling) {
    const TriangleMesh mesh = torus_with_holes(9);
    const Solid solid = Solid::of(mesh, SolidChoice::kCapped).value();
    const SurfaceQuery query(solid.surface());
    testing::Draw draw(kSeed);
    double most = 0.0;
    for (std::size_t t = mesh.triangles.size(); t < solid.boundary().triangles.size(); ++t) {
        for (int i = 0; i < 20; ++i) {
            const double u = draw.unit(), v = draw.unit() * (1.0 - u);
            const Vector3d p = solid.boundary().corner(t, 0) * u + solid.boundary().corner(t, 1) * v +
                               solid.boundary().corner(t, 2) * (1.0 - u - v);
            most = std::max(most, query.closest(p).distance);
        }
        most = std::max(most, query.closest(solid.boundary().corner(t, 2)).distance);
    }
    EXPECT_LE(most, solid.filling());
    EXPECT_GE(most, 0.5 * solid.filling());
}

TEST(Solid, LargeHolesMakeAShellUnlessFillingIsAskedFor) {
    TriangleMesh mesh = unit_box();
    mesh.triangles.erase(mesh.triangles.begin(), mesh.triangles.begin() + 2);  // the bottom
    const Solid shell(mesh);
    EXPECT_EQ(shell.kind(), SolidKind::kShell);
    EXPECT_FALSE(shell.inside(Vector3d(0.5, 0.4, 0.3)));
    EXPECT_EQ(shell.boundary().triangles, mesh.triangles);
    const Solid capped = Solid::of(mesh, SolidChoice::kCapped).value();
    EXPECT_EQ(capped.kind(), SolidKind::kCapped);
    EXPECT_TRUE(capped.inside(Vector3d(0.5, 0.4, 0.3)));
    EXPECT_FALSE(capped.inside(Vector3d(0.5, 0.4, -0.1)));
    EXPECT_EQ(Solid::of(unit_box(), SolidChoice::kShell).value().kind(), SolidKind::kShell);
}

TEST(Solid, ClosedNamesTheHoleThatItRefuses) {
    TriangleMesh mesh = unit_box();
    mesh.triangles.erase(mesh.triangles.begin(), mesh.triangles.begin() + 2);
    const Result<Solid> refused = Solid::of(mesh, SolidChoice::kClosed);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::kInvalidInput);
    EXPECT_NE(refused.error().message.find("1 hole, with 4 edges and a boundary of 4 at (0, 0, 0)"),
              std::string::npos)
        << refused.error().message;
}

TEST(Solid, OneSidedSurfaceIsAShellOnly) {
    const TriangleMesh strip = moebius_strip();
    EXPECT_EQ(Solid(strip).kind(), SolidKind::kShell);
    for (const SolidChoice choice : {SolidChoice::kClosed, SolidChoice::kCapped}) {
        const Result<Solid> refused = Solid::of(strip, choice);
        ASSERT_FALSE(refused);
        EXPECT_NE(refused.error().message.find("one side"), std::string::npos);
    }
}

TEST(Holes, ThoseThatTouchInAVertexAreTwo) {
    TriangleMesh mesh = shapes::torus(1.0, 0.35, 24, 12);
    // Of the two triangles of a quad and the quad beyond its corner.
    const auto erase_with = [&](std::uint32_t a, std::uint32_t b) {
        std::erase_if(mesh.triangles, [&](const Triangle& t) {
            return std::count(t.begin(), t.end(), a) + std::count(t.begin(), t.end(), b) == 2;
        });
    };
    erase_with(12 * 3 + 3, 12 * 4 + 4);
    erase_with(12 * 4 + 4, 12 * 5 + 5);
    const std::vector<Hole> holes = holes_of(mesh);
    ASSERT_EQ(holes.size(), 2u);
    EXPECT_EQ(holes[0].size(), 4u);
    EXPECT_EQ(holes[1].size(), 4u);
}

}  // namespace
}  // namespace espalier
