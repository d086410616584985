// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/medial/medial_set.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <filesystem>
#include <random>
#include <string>

#include "builder/clean/sanitize.h"
#include "builder/import/import.h"
#include "builder/medial/medial_ply.h"
#include "builder/medial/nearest_point.h"
#include "builder/medial/voronoi.h"
#include "tests/builder/sphere/shapes.h"

namespace espalier {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

/// As a share of the size: what rounding, and vertices that are taken for one, may be off.
constexpr double kTolerance = 1e-6;

/// Hubbard's definition: the forming points lie on the sphere, and no sample in it.
void expect_true_spheres(const MedialSet& set, double size) {
    const NearestPoint nearest(sample_points(set.samples));
    for (std::uint32_t b = 0; b < set.inner_vertices; ++b) {
        const MedialBall& ball = set.balls[b];
        ASSERT_GE(ball.forming.size(), 4u);
        for (const std::uint32_t s : ball.forming)
            ASSERT_NEAR((set.samples[s].point - ball.center).norm(), ball.radius, kTolerance * size)
                << "ball " << b;
        ASSERT_GT(nearest.nearest(ball.center).distance, ball.radius - kTolerance * size) << "ball " << b;
    }
}

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

TEST(Voronoi, SpheresOfNearlyCoplanarPointsHoldNoOtherPoint) {
    // A slanted plate: rounding leaves its samples in no plane, and most tetrahedra as flat as a hair.
    std::mt19937_64 engine(7);
    const auto unit = [&] { return static_cast<double>(engine() >> 11) * 0x1.0p-53; };
    const Vector3d along(0.48, 0.6, 0.64), across(-0.8, 0.6, 0.0);
    std::vector<Vector3d> points;
    for (int i = 0; i < 300; ++i) points.push_back(unit() * along + unit() * across);
    for (int i = 0; i < 10; ++i) points.push_back({unit(), unit(), 2.0 + unit()});
    const NearestPoint nearest(points);
    const auto vertices = voronoi_vertices(points);
    ASSERT_GT(vertices.size(), 300u);
    for (const VoronoiVertex& v : vertices) {
        for (const std::uint32_t f : v.forming)
            EXPECT_NEAR((points[f] - v.center).norm(), v.radius, 1e-8 * v.radius);
        EXPECT_GT(nearest.nearest(v.center).distance, v.radius * (1.0 - 1e-8));
    }
}

TEST(MedialSet, FormingPointsLieOnTheirBallAndNoSampleLiesInside) {
    const MedialSet set = medial_of(shapes::torus(1.0, 0.35, 60, 40), 800);
    EXPECT_GT(set.inner_vertices, 500u);
    expect_true_spheres(set, 2.8);
}

TEST(MedialSet, RealMeshesWithFlatFacesHaveTrueSpheres) {
    for (const char* name : {"3torus", "boeing", "pinion", "tripod", "anchor", "cube"}) {
        SCOPED_TRACE(name);
        const Result<PolygonSoup> soup =
            import_mesh(std::filesystem::path(ESPALIER_MESHES_DIR) / (std::string(name) + ".off"), {});
        ASSERT_TRUE(soup.ok());
        const TriangleMesh mesh = sanitize(soup.value()).value().mesh;
        Eigen::AlignedBox3f box;
        for (const Vector3f& p : mesh.positions) box.extend(p);
        const MedialSet set = medial_of(mesh, 1500);
        EXPECT_GT(set.inner_vertices, 500u);
        expect_true_spheres(set, box.diagonal().norm());
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
    EXPECT_EQ(set.inner_vertices, 0u);
    EXPECT_FALSE(set.aliased);
}

TEST(MedialSet, NarrowGapIsRepairedByMoreSamples) {
    // Two slabs, 0.02 apart, and far fewer samples than the gap needs.
    const TriangleMesh slabs = shapes::joined(shapes::box(Vector3f(0, 0, 0), Vector3f(1, 1, 0.05F)),
                                              shapes::box(Vector3f(0, 0, 0.07F), Vector3f(1, 1, 0.12F)));
    const MedialSet set = medial_of(slabs, 150);
    EXPECT_GT(set.repair_samples, 0u);
    EXPECT_GT(set.repair_rounds, 0u);
    EXPECT_FALSE(set.aliased);
    EXPECT_EQ(set.overlaps, 0u);
}

TEST(MedialSet, OverlappingPartsAreReportedAndEndTheRepair) {
    // Six boxes in one: wherever samples are added, those of another box are near.
    TriangleMesh boxes;
    for (int i = 0; i < 6; ++i) {
        const float off = 1e-5F * static_cast<float>(i);
        boxes =
            shapes::joined(boxes, shapes::box(Vector3f(off, off, off), Vector3f(1 + off, 1 + off, 1 + off)));
    }
    MedialOptions options;
    options.samples = 60;
    options.most_repair_samples = 1000.0;
    Progress progress;
    const MedialSet set = compute_medial_set(boxes, options, progress).value();
    EXPECT_GT(set.overlaps, 0u);
    EXPECT_FALSE(set.aliased);
    EXPECT_LT(set.repair_samples, 6000u);
    expect_true_spheres(set, 2.0);
}

TEST(MedialSet, RepairThatMayAddNothingSaysThatTheAxisIsAliased) {
    const TriangleMesh slabs = shapes::joined(shapes::box(Vector3f(0, 0, 0), Vector3f(1, 1, 0.05F)),
                                              shapes::box(Vector3f(0, 0, 0.07F), Vector3f(1, 1, 0.12F)));
    MedialOptions options;
    options.samples = 150;
    options.max_repair_rounds = 0;
    Progress progress;
    const MedialSet set = compute_medial_set(slabs, options, progress).value();
    EXPECT_TRUE(set.aliased);
    EXPECT_EQ(set.repair_samples, 0u);
}

TEST(MedialSet, NeedleBetweenSamplesIsFoundWhereItsEdgesCrossACellsFace) {
    // A needle much thinner than the samples' spacing stands over the middle of a face of a cube and does not
    // touch it: no Voronoi edge needs to hit it, but the faces of cells below cut it.
    const TriangleMesh shapes_apart =
        shapes::joined(shapes::box(Vector3f(0, 0, 0), Vector3f(1, 1, 1)),
                       shapes::box(Vector3f(0.51F, 0.52F, 1.01F), Vector3f(0.512F, 0.522F, 1.3F)));
    const MedialSet set = medial_of(shapes_apart, 300);
    EXPECT_FALSE(set.aliased);
    // Samples stand on the needle all along: none of its points is nearer to the cube's.
    const NearestPoint nearest(sample_points(set.samples));
    for (int i = 0; i <= 100; ++i) {
        const Vector3d p(0.51, 0.52, 1.02 + 0.0027 * i);
        EXPECT_GT(set.samples[nearest.nearest(p).point].point.z(), 1.005) << p.z();
    }
}

TEST(MedialSet, SamplesAtOnePlaceAreOne) {
    // A thin wedge: samples of both sides of its edge meet in its corners.
    TriangleMesh wedge;
    wedge.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0.001F}};
    wedge.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    std::vector<Vector3d> points = sample_points(medial_of(wedge, 200).samples);
    std::sort(points.begin(), points.end(), [](const Vector3d& a, const Vector3d& b) {
        return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
    });
    EXPECT_EQ(std::adjacent_find(points.begin(), points.end()), points.end());
}

TEST(NearestPoint, AgreesWithLookingAtAllAndTakesTheFirstOfEquals) {
    std::mt19937_64 engine(3);
    const auto unit = [&] { return static_cast<double>(engine() >> 11) * 0x1.0p-53; };
    std::vector<Vector3d> points;
    for (int i = 0; i < 500; ++i) points.push_back({std::floor(8 * unit()), unit(), std::floor(4 * unit())});
    points.insert(points.end(), points.begin(), points.begin() + 100);
    const NearestPoint nearest(points);
    for (int i = 0; i < 500; ++i) {
        const Vector3d p(10 * unit() - 1, 2 * unit(), 6 * unit() - 1);
        std::uint32_t best = 0;
        for (std::uint32_t k = 1; k < points.size(); ++k)
            if ((points[k] - p).squaredNorm() < (points[best] - p).squaredNorm()) best = k;
        EXPECT_EQ(nearest.nearest(p).point, best);
        EXPECT_EQ(nearest.nearest(p).distance, (points[best] - p).norm());
    }
    EXPECT_EQ(nearest.nearest(points[0]).point, 0u);
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
