// SPDX-License-Identifier: GPL-3.0-or-later
// Ray cast (aabb and box trees), closest point and inside: 100,000 rays and points each, judged by CGAL's
// exact predicates over all triangles.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "espalier/point.h"
#include "espalier/ray_cast.h"
#include "tests/runtime/exact/models.h"
#include "tests/support/brute_force.h"
#include "tests/support/exact_part.h"

namespace espalier::testing {
namespace {

constexpr std::uint64_t kSeed = 54;

const ExactModels& models() {
    static const ExactModels all(200);
    return all;
}

const ExactPart& exact_part(const BakedMesh& mesh) {
    static std::map<const BakedMesh*, ExactPart> parts;
    return parts.try_emplace(&mesh, mesh.part()).first->second;
}

/// A point of a grid of 2^-24, so that differences of two are exact, in the part's box grown by `reach`.
Eigen::Vector3d grid_point(Draw& draw, const ShapeView& part, double reach) {
    Eigen::Vector3d p;
    for (int k = 0; k < 3; ++k) {
        const double middle = (double(part.lo[k]) + double(part.hi[k])) / 2,
                     half = (double(part.hi[k]) - double(part.lo[k])) / 2;
        p[k] = std::round((middle + reach * (half + 1e-3) * draw.between(-1, 1)) * 0x1p24) * 0x1p-24;
    }
    return p;
}

/// One ray in seven is parallel to an axis.
Ray draw_ray(Draw& draw, const ShapeView& part) {
    const Eigen::Vector3d from = grid_point(draw, part, 2), to = grid_point(draw, part, 1);
    const int axis = draw.below(7) == 0 ? static_cast<int>(draw.below(3)) : -1;
    Ray ray;
    for (int k = 0; k < 3; ++k) {
        ray.direction[k] = axis < 0 || k == axis ? to[k] - from[k] : 0.0;
        ray.origin[k] = axis < 0 || k == axis ? from[k] : to[k];
    }
    return ray;
}

/// The query finds a hit exactly if there is one: the nearest, or with kAny one of them.
template <class Query>
void expect_hit(const ShapeView& part, const Ray& ray, const std::vector<ExactPart::Hit>& hits) {
    static Query query;
    double nearest = INFINITY;
    for (const ExactPart::Hit& hit : hits) nearest = std::min(nearest, hit.t);
    for (const RayMode mode : {RayMode::kFirst, RayMode::kAny}) {
        ASSERT_EQ(query.begin(part, ray, mode), Status::kOk);
        ASSERT_EQ(query.step(), hits.empty() ? Verdict::kDisjoint : Verdict::kColliding);
        if (hits.empty()) continue;
        const auto hit = std::find_if(hits.begin(), hits.end(), [&](const ExactPart::Hit& h) {
            return h.triangle == query.hit().triangle;
        });
        ASSERT_NE(hit, hits.end()) << "triangle " << query.hit().triangle << " is not hit";
        ASSERT_NEAR(query.hit().t, hit->t, 1e-9 * (1 + hit->t));
        if (mode == RayMode::kFirst) ASSERT_LE(query.hit().t, nearest * (1 + kDistancePromise));
    }
}

TEST(ExactRay, HundredThousandRaysOnAabbAndBoxTrees) {
    std::uint64_t rays = 0, hitting = 0;
    for_exact_parts(models(), kSeed, [&](const BakedMesh& mesh, Draw& draw) {
        Ray ray = draw_ray(draw, mesh.part());
        std::vector<ExactPart::Hit> hits = exact_part(mesh).ray_hits(ray);
        ++rays;
        hitting += !hits.empty();
        ASSERT_NO_FATAL_FAILURE(expect_hit<RayCast<AabbTreeView>>(mesh.part(), ray, hits)) << "aabb";
        ASSERT_NO_FATAL_FAILURE(expect_hit<RayCast<BoxTreeView>>(mesh.part(), ray, hits)) << "box";
        if (hits.size() < 2) return;
        // A limit between the first hit and the second.
        std::sort(hits.begin(), hits.end(), [](const auto& x, const auto& y) { return x.t < y.t; });
        if (hits[1].t - hits[0].t < 1e-6) return;
        ray.max_t = (hits[0].t + hits[1].t) / 2;
        hits.resize(1);
        ASSERT_NO_FATAL_FAILURE(expect_hit<RayCast<AabbTreeView>>(mesh.part(), ray, hits)) << "aabb, limited";
        ASSERT_NO_FATAL_FAILURE(expect_hit<RayCast<BoxTreeView>>(mesh.part(), ray, hits)) << "box, limited";
    });
    EXPECT_GT(hitting, rays / 4);
    EXPECT_LT(hitting, rays * 7 / 8);
    std::printf("  %llu rays, %llu hit\n", static_cast<unsigned long long>(rays),
                static_cast<unsigned long long>(hitting));
}

TEST(ExactClosestPoint, HundredThousandPoints) {
    for_exact_parts(models(), kSeed + 1, [&](const BakedMesh& mesh, Draw& draw) {
        const Eigen::Vector3d point = grid_point(draw, mesh.part(), 1.5);
        SCOPED_TRACE(::testing::PrintToString(point.transpose()));
        static ClosestPointQuery query;
        ASSERT_EQ(query.begin(mesh.part(), point.data()), Status::kOk);
        ASSERT_EQ(query.step(), Verdict::kColliding);
        const ClosestPoint closest = query.closest();
        ASSERT_EQ(exact_part(mesh).doubt_closest(point.data(), closest), "");
        ASSERT_EQ(query.begin(mesh.part(), point.data(), closest.distance * (1 - kDistancePromise)),
                  Status::kOk);
        ASSERT_EQ(query.step(), closest.distance > 0 ? Verdict::kDisjoint : Verdict::kColliding);
        ASSERT_EQ(query.begin(mesh.part(), point.data(), closest.distance * (1 + kDistancePromise)),
                  Status::kOk);
        ASSERT_EQ(query.step(), Verdict::kColliding);
    });
}

TEST(ExactClosestPoint, TheProofRefusesOtherTriangles) {
    const BakedMesh& mesh = *models().small[0];
    const ExactPart& exact = exact_part(mesh);
    Draw draw(kSeed + 3);
    int refused = 0;
    for (std::uint32_t i = 0; i < mesh.part().mesh.triangle_count; ++i) {
        const Eigen::Vector3d point = grid_point(draw, mesh.part(), 1.5);
        const Triangle3 t = BruteForce(mesh.part(), mesh.part(), Pose()).a(i);
        ClosestPoint claim;
        claim.triangle = i;
        closest_point_on_triangle(t, point.data(), claim.point);
        claim.distance = (Eigen::Vector3d(claim.point) - point).norm();
        refused += exact.doubt_closest(point.data(), claim) != "";
    }
    EXPECT_GT(refused, static_cast<int>(mesh.part().mesh.triangle_count * 9 / 10));
}

TEST(ExactInside, HundredThousandPointsOfClosedMeshes) {
    ExactModels closed = ExactModels(200);
    std::erase_if(closed.small, [](const auto& mesh) { return !ExactPart(mesh->part()).closed(); });
    std::erase_if(closed.large, [](const auto& mesh) { return !ExactPart(mesh->part()).closed(); });
    std::uint64_t points = 0, inside = 0;
    for_exact_parts(closed, kSeed + 2, [&](const BakedMesh& mesh, Draw& draw) {
        ShapeView part = mesh.part();
        part.closed = true;
        Eigen::Vector3d point = grid_point(draw, part, 1.1);
        if (draw.below(32) == 0) {  // a corner is on the surface exactly
            const float* corner = part.mesh.positions + 3 * draw.below(part.mesh.vertex_count);
            point = Eigen::Vector3d(double(corner[0]), double(corner[1]), double(corner[2]));
        }
        const bool expected = exact_part(mesh).inside(point.data());
        static InsideQuery query;
        ASSERT_EQ(query.begin(part, point.data()), Status::kOk);
        ASSERT_EQ(query.step(), expected ? Verdict::kColliding : Verdict::kDisjoint) << point.transpose();
        ++points;
        inside += expected;
    });
    EXPECT_GT(closed.small.size(), 20u);
    EXPECT_GT(inside, points / 6);
    EXPECT_LT(inside, points * 5 / 6);
    std::printf("  %zu models, %llu points, %llu inside\n", closed.small.size() + closed.large.size(),
                static_cast<unsigned long long>(points), static_cast<unsigned long long>(inside));
}

}  // namespace
}  // namespace espalier::testing
