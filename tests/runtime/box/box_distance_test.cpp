// SPDX-License-Identifier: GPL-3.0-or-later
// Distance, within and ray cast on box trees against brute force.
#include <gtest/gtest.h>

#include <limits>

#include "espalier/distance.h"
#include "espalier/ray_cast.h"
#include "runtime/src/triangle/ray_triangle.h"
#include "tests/support/box_fixture.h"

namespace espalier::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Triangle3 corners_of(const MeshView& mesh, std::uint32_t triangle) {
    Triangle3 t;
    for (std::uint32_t c = 0; c < 3; ++c)
        for (std::uint32_t k = 0; k < 3; ++k) t.p[c][k] = double(mesh.corner(triangle, c)[k]);
    return t;
}

double brute_distance(const ShapeView& a, const ShapeView& b, const Pose& pose) {
    PairFrame frame;
    EXPECT_EQ(make_pair_frame(a, b, pose, &frame), Status::kOk);
    double least = kInfinity;
    for (std::uint32_t j = 0; j < b.mesh.triangle_count; ++j) {
        Triangle3 placed;
        for (std::uint32_t c = 0; c < 3; ++c) frame.place(b.mesh.corner(j, c), placed.p[c]);
        for (std::uint32_t i = 0; i < a.mesh.triangle_count; ++i) {
            double p[3], q[3];
            least = std::min(least, triangle_distance(corners_of(a.mesh, i), placed, p, q));
        }
    }
    return least;
}

TEST(BoxDistance, EqualsBruteForceOnRandomPosesWithAndWithoutScale) {
    Draws draws(21);
    for (const char* name : {"torus", "box", "gear"})
        for (const std::uint32_t leaf : {1u, 4u}) {
            const BakedBytes baked =
                bake_mesh(corpus::find_corpus_mesh(name)->make_near(200), {BoxSplit::kBinned, leaf});
            for (int i = 0; i < 6; ++i) {
                Pose pose = draws.pose(1.2 * diagonal(baked.part));
                if (i % 2 == 1)
                    for (double& s : pose.scale) s = draws.between(0.3, 2);
                Distance<BoxTreeView> query;
                ASSERT_EQ(query.begin(baked.part, baked.part, pose), Status::kOk);
                query.step();
                ASSERT_TRUE(query.done());
                const double expected = brute_distance(baked.part, baked.part, pose);
                EXPECT_NEAR(query.upper(), expected, 1e-9 * diagonal(baked.part)) << name << " pose " << i;
                EXPECT_NEAR(query.lower(), expected, 1e-9 * diagonal(baked.part)) << name << " pose " << i;
            }
        }
}

TEST(BoxDistance, BoundsHoldAndTightenAfterEverySmallStep) {
    const BakedBytes baked = bake_mesh(corpus::find_corpus_mesh("gear")->make_near(300), {});
    Draws draws(22);
    const Pose pose = draws.pose(1.5 * diagonal(baked.part));
    const double expected = brute_distance(baked.part, baked.part, pose);
    Distance<BoxTreeView> query;
    ASSERT_EQ(query.begin(baked.part, baked.part, pose), Status::kOk);
    Budget budget;
    budget.node_tests = 4;
    double lower = 0, upper = kInfinity;
    while (!query.done()) {
        query.step(budget);
        EXPECT_LE(query.lower(), expected * (1 + 1e-12));
        EXPECT_GE(query.upper(), expected * (1 - 1e-12));
        EXPECT_GE(query.lower(), lower);
        EXPECT_LE(query.upper(), upper);
        lower = query.lower();
        upper = query.upper();
    }
}

TEST(BoxDistance, WithinTellsBothSidesOfTheLimit) {
    const BakedBytes baked = bake_mesh(corpus::find_corpus_mesh("torus")->make_near(300), {});
    Draws draws(23);
    for (int i = 0; i < 10; ++i) {
        const Pose pose = draws.pose(1.5 * diagonal(baked.part));
        const double expected = brute_distance(baked.part, baked.part, pose);
        if (expected == 0) continue;
        for (const double factor : {0.9, 1.1}) {
            DistanceGoal goal;
            goal.within = expected * factor;
            Distance<BoxTreeView> query;
            ASSERT_EQ(query.begin(baked.part, baked.part, pose, goal), Status::kOk);
            query.step();
            ASSERT_TRUE(query.done());
            EXPECT_EQ(query.upper() <= goal.within, factor > 1) << "pose " << i;
            EXPECT_LE(query.lower(), expected * (1 + 1e-12));
        }
    }
}

TEST(BoxDistance, RefusesPartsWithoutATreeAndNegativeGoals) {
    const BakedBytes baked = bake_mesh(corpus::find_corpus_mesh("box")->make(), {});
    ShapeView bare = baked.part;
    bare.box = BoxTreeView();
    Distance<BoxTreeView> query;
    EXPECT_EQ(query.begin(baked.part, bare, Pose()), Status::kNoTree);
    DistanceGoal goal;
    goal.within = -1;
    EXPECT_EQ(query.begin(baked.part, baked.part, Pose(), goal), Status::kInvalidArgument);
}

double brute_ray(const ShapeView& part, const Ray& ray) {
    double nearest = kInfinity;
    for (std::uint32_t i = 0; i < part.mesh.triangle_count; ++i) {
        const Triangle3 t = corners_of(part.mesh, i);
        const EdgeSides sides = edge_sides(t, ray.origin, ray.direction);
        if (!sides.crosses() || sides.sum() == 0) continue;
        const double at = crossing_parameter(t, sides, ray.origin, ray.direction);
        if (at >= 0 && at <= ray.max_t) nearest = std::min(nearest, at);
    }
    return nearest;
}

TEST(BoxRay, FirstHitEqualsBruteForce) {
    Draws draws(24);
    for (const char* name : {"torus", "tetra-flake", "desk-lamp"})
        for (const std::uint32_t leaf : {1u, 4u}) {
            const BakedBytes baked =
                bake_mesh(corpus::find_corpus_mesh(name)->make_near(2000), {BoxSplit::kBinned, leaf});
            int hits = 0;
            for (int i = 0; i < 300; ++i) {
                Ray ray;
                for (int k = 0; k < 3; ++k) {
                    ray.origin[k] = draws.between(-1, 1) * diagonal(baked.part);
                    const double target = draws.between(double(baked.part.lo[k]), double(baked.part.hi[k]));
                    ray.direction[k] = i % 5 == k ? 0 : target - ray.origin[k];
                }
                if (i % 7 == 0) ray.max_t = draws.between(0, 2);
                const double expected = brute_ray(baked.part, ray);
                RayCast<BoxTreeView> query;
                ASSERT_EQ(query.begin(baked.part, ray), Status::kOk);
                const bool hit = query.step() == Verdict::kColliding;
                ASSERT_EQ(hit, expected < kInfinity) << name << " ray " << i;
                if (!hit) continue;
                ++hits;
                EXPECT_EQ(query.hit().t, expected) << name << " ray " << i;
                RayCast<BoxTreeView> any;
                ASSERT_EQ(any.begin(baked.part, ray, RayMode::kAny), Status::kOk);
                EXPECT_EQ(any.step(), Verdict::kColliding);
                EXPECT_GE(any.hit().t, expected);
            }
            EXPECT_GT(hits, 20) << name;
        }
}

TEST(BoxRay, ACastInSmallStepsEndsAsOneInOneStep) {
    const BakedBytes baked = bake_mesh(corpus::find_corpus_mesh("torus")->make(), {});
    Ray ray;
    ray.origin[0] = -5;
    ray.origin[1] = 0.1;
    ray.direction[0] = 1;
    ray.direction[2] = 0.01;
    RayCast<BoxTreeView> whole, pieces;
    ASSERT_EQ(whole.begin(baked.part, ray), Status::kOk);
    ASSERT_EQ(pieces.begin(baked.part, ray), Status::kOk);
    ASSERT_EQ(whole.step(), Verdict::kColliding);
    Budget budget;
    budget.node_tests = 1;
    int steps = 0;
    while (pieces.step(budget) == Verdict::kUnresolved) ++steps;
    EXPECT_GT(steps, 2);
    EXPECT_EQ(pieces.hit().t, whole.hit().t);
    EXPECT_EQ(pieces.hit().triangle, whole.hit().triangle);
}

TEST(BoxRay, RefusesAZeroDirectionAndAPartWithoutATree) {
    const BakedBytes baked = bake_mesh(corpus::find_corpus_mesh("box")->make(), {});
    RayCast<BoxTreeView> query;
    Ray ray;
    ray.direction[2] = 0;
    EXPECT_EQ(query.begin(baked.part, ray), Status::kInvalidArgument);
    ShapeView bare = baked.part;
    bare.box = BoxTreeView();
    EXPECT_EQ(query.begin(bare, Ray()), Status::kNoTree);
}

}  // namespace
}  // namespace espalier::test
