// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere_tree/distance_grid.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "builder/sphere_tree/sphere_error.h"
#include "tests/sphere_tree/shapes.h"

namespace espalier {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

constexpr std::uint64_t kSeed = 41;

/// A mesh with everything that is asked about it.
struct Solid {
    explicit Solid(const TriangleMesh& mesh) : inside(mesh), query(inside.oriented()), grid(inside, query) {}

    double distance(const Vector3d& point) const {
        const bool in = inside.kind() == SolidKind::kClosed && inside.inside(point);
        return in ? 0.0 : query.closest(point).distance;
    }

    InsideTest inside;
    SurfaceQuery query;
    DistanceGrid grid;
};

const Solid& torus() {
    static const Solid kTorus(shapes::torus(1.0, 0.35, 40, 24));
    return kTorus;
}

const Solid& box() {
    static const Solid kBox(shapes::box(Vector3f(-1, -0.5F, -0.25F), Vector3f(1, 0.5F, 0.25F)));
    return kBox;
}

Vector3d random_point(std::mt19937_64& engine, const Vector3d& half) {
    Vector3d p;
    for (int axis = 0; axis < 3; ++axis) {
        p[axis] = (static_cast<double>(engine() >> 11) * 0x1.0p-52 - 1.0) * half[axis];
    }
    return p;
}

void expect_distances(const Solid& solid, const Vector3d& half) {
    std::mt19937_64 engine(kSeed);
    const double width = solid.grid.width();
    int deep = 0;
    int out = 0;
    for (int i = 0; i < 3000; ++i) {
        const Vector3d p = random_point(engine, half);
        const double exact = solid.distance(p);
        ASSERT_NEAR(solid.grid.at(p), exact, width) << "seed " << kSeed << " draw " << i;
        out += exact > width ? 1 : 0;
        if (exact == 0.0 && solid.query.closest(p).distance > width) {
            ASSERT_EQ(solid.grid.at(p), 0.0) << "seed " << kSeed << " draw " << i;
            ++deep;
        }
    }
    EXPECT_GT(deep, 100);
    EXPECT_GT(out, 100);
}

TEST(DistanceGrid, distancesFromATorusAreExactToWithinTheWidthAndNoneInside) {
    expect_distances(torus(), Vector3d(1.4, 1.4, 0.4));
}

TEST(DistanceGrid, distancesFromABoxAreExactToWithinTheWidthAndNoneInside) {
    expect_distances(box(), Vector3d(1.1, 0.6, 0.35));
}

TEST(DistanceGrid, farFromTheSolidDistancesAreNeverTooSmall) {
    std::mt19937_64 engine(kSeed);
    for (int i = 0; i < 500; ++i) {
        const Vector3d p = random_point(engine, Vector3d::Constant(6.0));
        const double exact = torus().distance(p);
        EXPECT_GE(torus().grid.at(p), exact - torus().grid.width()) << "seed " << kSeed << " draw " << i;
        EXPECT_LE(torus().grid.at(p), 1.5 * exact + torus().grid.width())
            << "seed " << kSeed << " draw " << i;
    }
}

TEST(DistanceGrid, openSheetHasDistancesOnBothSides) {
    const Solid sheet(shapes::sheet(3));
    ASSERT_EQ(sheet.inside.kind(), SolidKind::kWinding);
    const double width = sheet.grid.width();
    for (const double z : {-0.05, -0.02, 0.02, 0.05}) {
        EXPECT_NEAR(sheet.grid.at({0.4, 0.6, z}), std::fabs(z), width) << z;
        EXPECT_GT(sheet.grid.at({0.4, 0.6, z}), 0.5 * std::fabs(z)) << z;
    }
    EXPECT_NEAR(sheet.grid.bulge({Vector3d(0.5, 0.5, -0.02), 0.1}), 0.12, width);
}

void expect_bulge(const Solid& solid, const Ball& ball, const std::string& what) {
    const ErrorBounds exact =
        sphere_error({solid.inside.oriented(), solid.query, solid.inside}, ball, 0.01, 1e-6);
    const double allowed = std::max(solid.grid.width(), 0.15 * exact.upper);
    EXPECT_GE(solid.grid.bulge(ball), exact.lower - allowed) << what;
    EXPECT_LE(solid.grid.bulge(ball), exact.upper + allowed) << what;
}

TEST(DistanceGrid, ballsAtCornersEdgesAndFacesOfABoxBulgeAsMuchAsTheyDo) {
    const Vector3d half(1.0, 0.5, 0.25);
    for (const double radius : {0.05, 0.15, 0.4}) {
        const std::string size = " radius " + std::to_string(radius);
        expect_bulge(box(), {half, radius}, "on a corner," + size);
        expect_bulge(box(), {half - Vector3d::Constant(0.8 * radius), radius}, "in a corner," + size);
        expect_bulge(box(), {Vector3d(0.1, 0.5, -0.25), radius}, "on an edge," + size);
        expect_bulge(box(), {Vector3d(0.3, 0.1, 0.25 - 0.9 * radius), radius}, "below a face," + size);
    }
    expect_bulge(box(), {Vector3d::Zero(), half.norm()}, "around the box");
    EXPECT_EQ(box().grid.bulge({Vector3d(0.2, 0.1, 0.0), 0.2}), 0.0) << "inside";
}

TEST(DistanceGrid, ballsInTheTubeAndTheHoleOfATorusBulgeAsMuchAsTheyDo) {
    expect_bulge(torus(), {Vector3d::Zero(), 0.6}, "in the hole");
    std::mt19937_64 engine(kSeed);
    for (int i = 0; i < 30; ++i) {
        const Vector3d p = random_point(engine, Vector3d(1, 1, 0));
        const Vector3d nudge = random_point(engine, Vector3d::Constant(0.1));
        const double radius = 0.2 + 0.01 * i;
        expect_bulge(torus(), {p.normalized() + nudge, radius}, "seed 41 ball " + std::to_string(i));
    }
}

}  // namespace
}  // namespace espalier
