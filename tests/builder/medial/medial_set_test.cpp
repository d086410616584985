// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/medial/medial_set.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "builder/medial/medial_ply.h"
#include "builder/medial/voronoi.h"
#include "tests/builder/sphere/shapes.h"

namespace espalier {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

MedialSet medial_of(const TriangleMesh& mesh, std::uint32_t samples) {
    MedialOptions options;
    options.samples = samples;
    Progress progress;
    return compute_medial_set(mesh, options, progress).value();
}

TEST(Voronoi, CubeCornersFormOneCoincidentVertex) {
    const TriangleMesh cube = shapes::box(Vector3f(0, 0, 0), Vector3f(2, 2, 2));
    std::vector<Vector3d> points;
    for (const auto& p : cube.positions) points.push_back(p.cast<double>());
    const auto vertices = voronoi_vertices(points);
    ASSERT_FALSE(vertices.empty());
    for (const VoronoiVertex& v : vertices) {
        EXPECT_LT((v.center - Vector3d(1, 1, 1)).norm(), 1e-12);
        EXPECT_NEAR(v.radius, std::sqrt(3.0), 1e-12);
    }
    EXPECT_TRUE(voronoi_vertices({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}).empty());
}

TEST(MedialSet, FormingPointsLieOnTheirBallAndNoSampleLiesInside) {
    const MedialSet set = medial_of(shapes::torus(1.0, 0.35, 60, 40), 800);
    ASSERT_GT(set.balls.size(), 500u);
    for (const MedialBall& ball : set.balls) {
        if (ball.forming.size() < 4) continue;  // a sample's own sphere
        for (const std::uint32_t s : ball.forming)
            EXPECT_NEAR((set.samples[s].point - ball.center).norm(), ball.radius, 1e-5);
        for (const SurfaceSample& s : set.samples)
            EXPECT_GT((s.point - ball.center).norm(), ball.radius - 1e-5);
    }
}

TEST(MedialSet, MostBallsOfATorusLieOnItsAxis) {
    const MedialSet set = medial_of(shapes::torus(1.0, 0.35, 60, 40), 3000);
    // Voronoi vertices near the surface belong to flat tetrahedra; deep ones trace the circle of radius 1.
    std::size_t deep = 0;
    for (const MedialBall& ball : set.balls) {
        if (ball.radius > 0.3) {
            ++deep;
            const Vector3d c = ball.center;
            EXPECT_NEAR(std::hypot(std::hypot(c.x(), c.y()) - 1.0, c.z()), 0.0, 0.08);
        }
    }
    EXPECT_GT(deep, 100u);
}

TEST(MedialSet, CoincidentVerticesAreMergedAndAdjacencyIsSortedAndUnique) {
    const MedialSet set = medial_of(shapes::box(Vector3f(0, 0, 0), Vector3f(1, 1, 1)), 400);
    EXPECT_TRUE(std::is_sorted(set.adjacent.begin(), set.adjacent.end()));
    EXPECT_EQ(std::adjacent_find(set.adjacent.begin(), set.adjacent.end()), set.adjacent.end());
    for (const auto& [a, b] : set.adjacent) {
        EXPECT_LT(a, b);
        EXPECT_LT(b, set.balls.size());
        EXPECT_GT((set.balls[a].center - set.balls[b].center).norm() +
                      std::abs(set.balls[a].radius - set.balls[b].radius),
                  0.0);
    }
}

TEST(MedialSet, SheetWithoutInsideGetsASphereForEverySample) {
    const MedialSet set = medial_of(shapes::sheet(4), 200);
    std::vector<std::uint8_t> seen(set.samples.size(), 0);
    for (const MedialBall& ball : set.balls)
        for (const std::uint32_t s : ball.forming) seen[s] = 1;
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 0), 0);
    EXPECT_GT(set.samples.size(), 100u);
}

TEST(MedialSet, NarrowGapIsRepairedByMoreSamples) {
    // Two slabs, 0.02 apart, and far fewer samples than the gap needs.
    const TriangleMesh slabs = shapes::joined(shapes::box(Vector3f(0, 0, 0), Vector3f(1, 1, 0.05F)),
                                              shapes::box(Vector3f(0, 0, 0.07F), Vector3f(1, 1, 0.12F)));
    const MedialSet set = medial_of(slabs, 150);
    EXPECT_GT(set.repair_samples, 0u);
    EXPECT_GT(set.repair_rounds, 0u);
}

TEST(MedialPly, HeaderCountsMatchTheLines) {
    MedialSet set;
    set.balls = {{{0.5, 1, 2}, 0.25, {}}, {{3, 4, 5}, 1e-3, {}}};
    set.adjacent = {{0, 1}};
    EXPECT_EQ(
        medial_ply(set),
        "ply\nformat ascii 1.0\nelement vertex 2\nproperty double x\nproperty double y\nproperty double z\n"
        "property double radius\nelement edge 1\nproperty uint vertex1\nproperty uint vertex2\nend_header\n"
        "0.5 1 2 0.25\n3 4 5 0.001\n0 1\n");
}

TEST(MedialSet, SameResultEveryTime) {
    const TriangleMesh mesh = shapes::torus(1.0, 0.35, 30, 20);
    const MedialSet a = medial_of(mesh, 500);
    const MedialSet b = medial_of(mesh, 500);
    ASSERT_EQ(a.balls.size(), b.balls.size());
    EXPECT_EQ(a.adjacent, b.adjacent);
    for (std::size_t i = 0; i < a.balls.size(); ++i) {
        EXPECT_EQ(a.balls[i].center, b.balls[i].center);
        EXPECT_EQ(a.balls[i].forming, b.balls[i].forming);
    }
}

}  // namespace
}  // namespace espalier
