// SPDX-License-Identifier: GPL-3.0-or-later
// Rays and points asked of bodies at random configurations of random joint trees, against brute force over
// the triangles of all parts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "espalier/body_point.h"
#include "espalier/body_ray_cast.h"
#include "tests/support/effort.h"
#include "tests/support/random_body.h"

namespace espalier::testing {
namespace {

using Eigen::Vector3d;

/// A triangle of a part, in the body's frame.
struct PlacedTriangle {
    std::uint32_t part;
    Triangle3 corners;
};

std::vector<PlacedTriangle> placed_triangles(const HandBody& body) {
    std::vector<PlacedTriangle> triangles;
    for (std::uint32_t part = 0; part < body.poses().size(); ++part) {
        ShapeView view;
        if (body.body().shape(part, &view) != Status::kOk) continue;
        const Eigen::Isometry3d place = isometry(body.poses()[part]);
        for (std::uint32_t i = 0; i < view.mesh.triangle_count; ++i) {
            PlacedTriangle& placed = triangles.emplace_back();
            placed.part = part;
            for (std::uint32_t c = 0; c < 3; ++c)
                Vector3d::Map(placed.corners.p[c]) =
                    place * (Eigen::Vector3f(view.mesh.corner(i, c)).cast<double>() + Vector3d(view.origin));
        }
    }
    return triangles;
}

/// Where a ray meets a triangle that is widened by `margin` of its barycentric coordinates; infinite where it
/// passes by.
double meets(const Ray& ray, const Triangle3& triangle, double margin) {
    const Vector3d origin(ray.origin), way(ray.direction), corner(triangle.p[0]);
    const Vector3d u = Vector3d(triangle.p[1]) - corner, v = Vector3d(triangle.p[2]) - corner;
    const Vector3d across = way.cross(v), from = origin - corner, up = from.cross(u);
    const double volume = u.dot(across);
    if (volume == 0) return INFINITY;
    const double x = from.dot(across) / volume, y = way.dot(up) / volume, t = v.dot(up) / volume;
    const bool inside = x >= -margin && y >= -margin && x + y <= 1 + margin;
    return inside && t >= -margin && t <= ray.max_t + margin ? t : INFINITY;
}

/// The nearest of all triangles, as `meets` has it.
double nearest_hit(const std::vector<PlacedTriangle>& triangles, const Ray& ray, double margin) {
    double nearest = INFINITY;
    for (const PlacedTriangle& triangle : triangles)
        nearest = std::min(nearest, meets(ray, triangle.corners, margin));
    return nearest;
}

Ray drawn_ray(Draw& draw) {
    Ray ray;
    Vector3d::Map(ray.origin) = 8 * draw.in_cube();
    Vector3d::Map(ray.direction) = (1.5 * draw.in_cube() - Vector3d(ray.origin)).normalized();
    if (draw.below(5) == 0) ray.direction[1] = 0;
    if (draw.below(4) == 0) ray.max_t = draw.between(0, 10);
    return ray;
}

/// The first hit lies between that of widened triangles and that of shrunken ones, and some hit is as far or
/// farther.
template <class Tree>
void expect_ray(const HandBody& body, const Ray& ray, double earliest, double surely, Draw& draw) {
    static BodyRayCast<Tree> query;
    for (const RayMode mode : {RayMode::kFirst, RayMode::kAny}) {
        ASSERT_EQ(query.begin(body.body(), ray, mode), Status::kOk);
        Budget budget;
        do budget.node_tests = draw.below(20);
        while (query.step(budget) == Verdict::kUnresolved);
        if (query.verdict() == Verdict::kDisjoint) {
            ASSERT_TRUE(std::isinf(surely)) << "missed a hit at " << surely;
            continue;
        }
        ASSERT_TRUE(std::isfinite(earliest)) << "a hit that is none, at " << query.hit().hit.t;
        ASSERT_GE(query.hit().hit.t, earliest - 1e-9);
        if (mode == RayMode::kFirst) ASSERT_LE(query.hit().hit.t, surely + 1e-9);
        const Vector3d point = Vector3d(ray.origin) + query.hit().hit.t * Vector3d(ray.direction);
        ASSERT_LT((Vector3d(query.hit().hit.point) - point).norm(), 1e-9);
    }
}

TEST(BodyRay, MeetsTheFirstTriangleOfAnyPart) {
    constexpr double kWidening = 1e-9;
    std::uint64_t hits = 0, count = 0;
    at_configurations(40, effort(10000, 100), [&](HandBody& body, HandBody&, const Pose&, Draw& draw) {
        const std::vector<PlacedTriangle> triangles = placed_triangles(body);
        const Ray ray = drawn_ray(draw);
        const double earliest = nearest_hit(triangles, ray, kWidening);
        const double surely = nearest_hit(triangles, ray, -kWidening);
        ASSERT_NO_FATAL_FAILURE(expect_ray<AabbTreeView>(body, ray, earliest, surely, draw));
        ASSERT_NO_FATAL_FAILURE(expect_ray<BoxTreeView>(body, ray, earliest, surely, draw));
        hits += std::isfinite(surely) ? 1 : 0;
        ++count;
    });
    expect_dense("a ray", hits, count);
}

void expect_closest(const HandBody& body, const Vector3d& point, Draw& draw) {
    double nearest = INFINITY;
    for (const PlacedTriangle& triangle : placed_triangles(body))
        nearest = std::min(nearest, point_gap(triangle.corners, point.data()));
    static BodyClosestPointQuery query;
    ASSERT_EQ(query.begin(body.body(), point.data()), Status::kOk);
    Budget budget;
    do budget.node_tests = draw.below(20);
    while (query.step(budget) == Verdict::kUnresolved);
    ASSERT_EQ(query.verdict(), std::isfinite(nearest) ? Verdict::kColliding : Verdict::kDisjoint);
    if (std::isinf(nearest)) return;
    ASSERT_NEAR(query.closest().closest.distance, nearest, 1e-9);
    ASSERT_NEAR((Vector3d(query.closest().closest.point) - point).norm(), nearest, 1e-9);
    ASSERT_EQ(query.begin(body.body(), point.data(), nearest * 0.99), Status::kOk);
    if (nearest > 0) ASSERT_EQ(query.step(), Verdict::kDisjoint);
}

/// Parts that hold a point, each asked alone.
std::vector<std::uint32_t> holders_of(const HandBody& body, const Vector3d& point) {
    static InsideQuery alone;
    std::vector<std::uint32_t> holders;
    for (std::uint32_t part = 0; part < body.poses().size(); ++part) {
        ShapeView view;
        if (body.body().shape(part, &view) != Status::kOk || !view.closed) continue;
        const Vector3d local = isometry(body.poses()[part]).inverse() * point;
        EXPECT_EQ(alone.begin(view, local.data()), Status::kOk);
        if (alone.step() == Verdict::kColliding) holders.push_back(part);
    }
    return holders;
}

TEST(BodyPoint, IsNearestToOnePartAndInsideAnyThatHoldsIt) {
    std::uint64_t held = 0, count = 0;
    at_configurations(41, effort(10000, 100), [&](HandBody& body, HandBody&, const Pose&, Draw& draw) {
        const Vector3d point = 2 * draw.in_cube();
        ASSERT_NO_FATAL_FAILURE(expect_closest(body, point, draw));
        static BodyInsideQuery inside;
        const Status status = inside.begin(body.body(), point.data());
        ++count;
        if (status == Status::kNotClosed) return;
        ASSERT_EQ(status, Status::kOk);
        const std::vector<std::uint32_t> holders = holders_of(body, point);
        ASSERT_EQ(inside.step(), holders.empty() ? Verdict::kDisjoint : Verdict::kColliding);
        if (holders.empty()) return;
        ++held;
        ASSERT_NE(std::find(holders.begin(), holders.end(), inside.part()), holders.end());
    });
    EXPECT_GT(held, count / 50);
}

}  // namespace
}  // namespace espalier::testing
