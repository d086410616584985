// SPDX-License-Identifier: GPL-3.0-or-later
// Ray cast, closest point and inside against brute force over all triangles. tests/runtime/exact has many
// more rays and points.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "espalier/point.h"
#include "espalier/ray_cast.h"
#include "runtime/src/pair/leaf_pair.h"
#include "runtime/src/triangle/ray_triangle.h"
#include "tests/support/baked_mesh.h"
#include "tests/support/effort.h"
#include "tests/support/meshes.h"

namespace espalier::testing {
namespace {

constexpr std::uint64_t kSeed = 0x51961e;

Eigen::Vector3d point_near(Draw& draw, const ShapeView& part, double reach) {
    Eigen::Vector3d p;
    for (int k = 0; k < 3; ++k) {
        const double middle = (double(part.lo[k]) + double(part.hi[k])) / 2,
                     half = (double(part.hi[k]) - double(part.lo[k])) / 2;
        p[k] = middle + reach * (half + 1e-3) * draw.between(-1, 1) + part.origin[k];
    }
    return p;
}

/// Every mesh as baked, also far from the origin.
template <class Check>
void for_parts(std::uint32_t triangles, Check check) {
    std::uint64_t index = 0;
    for (const NamedTriangles& named : ten_small_meshes(triangles)) {
        const Eigen::Vector3d origin =
            index++ % 2 == 0 ? Eigen::Vector3d::Zero() : Eigen::Vector3d(1000, -500, 250);
        const BakedMesh mesh(named.name, named.mesh, {}, origin);
        Draw draw(kSeed + index);
        SCOPED_TRACE(named.name + ", seed " + std::to_string(kSeed + index));
        check(mesh.part(), draw);
    }
}

TEST(RayCast, FirstHitEqualsBruteForceAndAnyHitAgrees) {
    for_parts(300, [](const ShapeView& part, Draw& draw) {
        for (std::uint64_t i = 0; i < effort(100, 30); ++i) {
            Ray ray;
            const Eigen::Vector3d from = point_near(draw, part, 2), to = point_near(draw, part, 1);
            double local[3];
            for (int k = 0; k < 3; ++k) {
                ray.origin[k] = from[k];
                ray.direction[k] = i % 7 == 0 && k != int(i % 3) ? 0.0 : to[k] - from[k];
                local[k] = ray.origin[k] - part.origin[k];
            }
            double nearest = INFINITY;
            for (std::uint32_t t = 0; t < part.mesh.triangle_count; ++t) {
                const Triangle3 triangle = exact_triangle_a(part.mesh, t);
                const EdgeSides sides = edge_sides(triangle, local, ray.direction);
                if (!sides.crosses() || sides.sum() == 0) continue;
                const double at = crossing_parameter(triangle, sides, local, ray.direction);
                if (at >= 0) nearest = std::min(nearest, at);
            }
            static RayCast<AabbTreeView> query;
            ASSERT_EQ(query.begin(part, ray), Status::kOk);
            const Verdict verdict = query.step();
            ASSERT_EQ(verdict, std::isfinite(nearest) ? Verdict::kColliding : Verdict::kDisjoint);
            if (verdict == Verdict::kColliding) ASSERT_EQ(query.hit().t, nearest);
            ASSERT_EQ(query.begin(part, ray, RayMode::kAny), Status::kOk);
            ASSERT_EQ(query.step(), verdict);
            ray.max_t = nearest * 0.999;
            if (std::isfinite(nearest)) {
                ASSERT_EQ(query.begin(part, ray), Status::kOk);
                ASSERT_EQ(query.step(), Verdict::kDisjoint) << "the first hit lies beyond max_t";
            }
        }
    });
}

TEST(RayCast, StepsOfOneNodeGiveTheSameHit) {
    for_parts(200, [](const ShapeView& part, Draw& draw) {
        for (int i = 0; i < 20; ++i) {
            Ray ray;
            const Eigen::Vector3d from = point_near(draw, part, 2), to = point_near(draw, part, 0.7);
            for (int k = 0; k < 3; ++k) {
                ray.origin[k] = from[k];
                ray.direction[k] = to[k] - from[k];
            }
            static RayCast<AabbTreeView> whole, stepped;
            ASSERT_EQ(whole.begin(part, ray), Status::kOk);
            whole.step();
            ASSERT_EQ(stepped.begin(part, ray), Status::kOk);
            Budget one;
            one.node_tests = 1;
            for (int steps = 0; stepped.verdict() == Verdict::kUnresolved; ++steps) {
                ASSERT_LT(steps, 100000);
                stepped.step(one);
            }
            ASSERT_EQ(stepped.verdict(), whole.verdict());
            ASSERT_EQ(stepped.counters().node_tests, whole.counters().node_tests);
            if (whole.verdict() == Verdict::kColliding)
                ASSERT_EQ(stepped.hit().triangle, whole.hit().triangle);
        }
    });
}

TEST(RayCast, RefusesRaysThatMakeNoSense) {
    const BakedMesh mesh("soup", random_soup(3, 10));
    static RayCast<AabbTreeView> query;
    Ray ray;
    ray.direction[2] = 0;
    EXPECT_EQ(query.begin(mesh.part(), ray), Status::kInvalidArgument);
    ray.direction[0] = NAN;
    EXPECT_EQ(query.begin(mesh.part(), ray), Status::kInvalidArgument);
    EXPECT_EQ(query.step(), Verdict::kUnresolved);
}

TEST(ClosestPoint, EqualsBruteForceAndRespectsItsLimit) {
    for_parts(300, [](const ShapeView& part, Draw& draw) {
        for (std::uint64_t i = 0; i < effort(100, 30); ++i) {
            const Eigen::Vector3d point = point_near(draw, part, 1.5);
            const Eigen::Vector3d local =
                point - Eigen::Vector3d(part.origin[0], part.origin[1], part.origin[2]);
            double nearest = INFINITY;
            for (std::uint32_t t = 0; t < part.mesh.triangle_count; ++t) {
                Eigen::Vector3d on;
                closest_point_on_triangle(exact_triangle_a(part.mesh, t), local.data(), on.data());
                nearest = std::min(nearest, (on - local).norm());
            }
            static ClosestPointQuery query;
            ASSERT_EQ(query.begin(part, point.data()), Status::kOk);
            ASSERT_EQ(query.step(), Verdict::kColliding);
            ASSERT_NEAR(query.closest().distance, nearest, 1e-14 * nearest);
            ASSERT_EQ(query.begin(part, point.data(), nearest * 0.999), Status::kOk);
            ASSERT_EQ(query.step(), Verdict::kDisjoint);
            ASSERT_EQ(query.begin(part, point.data(), nearest * 1.001), Status::kOk);
            ASSERT_EQ(query.step(), Verdict::kColliding);
        }
    });
}

/// Solid angles (van Oosterom and Strackee 1983) over 4 pi: the winding number, by other means.
double winding_number(const ShapeView& part, const Eigen::Vector3d& p) {
    double sum = 0;
    for (std::uint32_t t = 0; t < part.mesh.triangle_count; ++t) {
        Eigen::Vector3d v[3];
        for (std::uint32_t c = 0; c < 3; ++c)
            for (int k = 0; k < 3; ++k) v[c][k] = double(part.mesh.corner(t, c)[k]) + part.origin[k] - p[k];
        const double a = v[0].norm(), b = v[1].norm(), c = v[2].norm();
        sum += 2 * std::atan2(v[0].dot(v[1].cross(v[2])),
                              a * b * c + v[0].dot(v[1]) * c + v[1].dot(v[2]) * a + v[2].dot(v[0]) * b);
    }
    return sum / (4 * std::numbers::pi);
}

TEST(Inside, EqualsTheWindingNumberOnClosedMeshes) {
    std::uint64_t inside_count = 0;
    for_parts(300, [&](const ShapeView& view, Draw& draw) {
        ShapeView part = view;
        part.closed = true;  // soups are skipped below, where the winding number is not an integer
        for (std::uint64_t i = 0; i < effort(500, 20); ++i) {
            const Eigen::Vector3d point = point_near(draw, part, 1);
            const double winding = winding_number(part, point);
            if (std::abs(winding - std::round(winding)) > 1e-6) continue;
            static InsideQuery query;
            ASSERT_EQ(query.begin(part, point.data()), Status::kOk);
            const bool inside = query.step() == Verdict::kColliding;
            ASSERT_EQ(inside, std::round(winding) != 0) << point.transpose();
            inside_count += inside;
        }
    });
    EXPECT_GT(inside_count, effort(100, 4));
}

TEST(Inside, PointsStraightBelowVerticesAndEdgesAreDecided) {
    // Axis-aligned rays from a cube's centre meet edges and corners; ours must not care.
    TriangleMesh cube;
    for (int i = 0; i < 8; ++i) cube.positions.emplace_back(float(i & 1), float(i >> 1 & 1), float(i >> 2));
    const Triangle faces[12] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    cube.triangles.assign(faces, faces + 12);
    const BakedMesh mesh("cube", cube);
    ShapeView part = mesh.part();
    part.closed = true;
    static InsideQuery query;
    for (const double x : {-0.5, 0.0, 0.25, 0.5, 1.0, 1.5})
        for (const double y : {-0.5, 0.0, 0.5, 1.0})
            for (const double z : {0.0, 0.5, 1.0}) {
                const double p[3] = {x, y, z};
                ASSERT_EQ(query.begin(part, p), Status::kOk);
                const bool expected = x >= 0 && x <= 1 && y >= 0 && y <= 1;
                ASSERT_EQ(query.step() == Verdict::kColliding, expected) << x << ' ' << y << ' ' << z;
            }
}

TEST(Inside, RefusesAnOpenMesh) {
    const BakedMesh mesh("soup", random_soup(5, 10));
    ShapeView part = mesh.part();
    part.closed = false;
    const double origin[3] = {0, 0, 0};
    static InsideQuery query;
    EXPECT_EQ(query.begin(part, origin), Status::kNotClosed);
}

}  // namespace
}  // namespace espalier::testing
