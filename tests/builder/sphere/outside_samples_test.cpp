// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere/optimize/outside_samples.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "tests/builder/sphere/shapes.h"

namespace espalier {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

constexpr double kPi = 3.141592653589793;

/// A mesh with what samples are taken by.
struct Sampled {
    explicit Sampled(const TriangleMesh& mesh) : solid(mesh), query(solid.boundary()) {}

    OutsideSamples sample(double near, double max_distance, std::size_t count) const {
        return sample_outside(solid, query, near, max_distance, count);
    }

    Solid solid;
    SurfaceQuery query;
};

TriangleMesh slab() {
    return shapes::box(Vector3f(-1.0F, -0.5F, -0.2F), Vector3f(1.0F, 0.5F, 0.2F));
}

/// Of what is around the slab up to a distance: sides, quarters of cylinders and eighths of a ball.
double shell_volume(double distance) {
    const double a = 2.0;
    const double b = 1.0;
    const double c = double(0.4F);
    return 2.0 * (a * b + b * c + c * a) * distance + (a + b + c) * kPi * distance * distance +
           4.0 / 3.0 * kPi * distance * distance * distance;
}

void expect_one_of_each(const OutsideSamples& samples) {
    ASSERT_GT(samples.width, 0.0);
    ASSERT_EQ(samples.distance.size(), samples.point.size());
    ASSERT_EQ(samples.volume.size(), samples.point.size());
}

void expect_outside_with_true_distances(const Sampled& solid, const OutsideSamples& samples,
                                        double max_distance) {
    expect_one_of_each(samples);
    for (std::size_t i = 0; i < samples.point.size(); ++i) {
        ASSERT_FALSE(solid.solid.inside(samples.point[i])) << i;
        ASSERT_LE(double(samples.distance[i]), max_distance * (1.0 + 1e-6)) << i;
        const double distance = solid.query.closest(samples.point[i]).distance;
        ASSERT_NEAR(double(samples.distance[i]), distance, 1e-6 * (distance + solid.query.flat().unit()))
            << i;
        ASSERT_GT(samples.volume[i], 0.0F) << i;
    }
}

TEST(OutsideSamples, ThoseOfABoxAreOutsideWithinTheMaxDistance) {
    const Sampled solid(slab());
    expect_outside_with_true_distances(solid, solid.sample(0.1, 0.7, 8000), 0.7);
}

TEST(OutsideSamples, ThoseOfATorusAreOutsideWithinTheMaxDistance) {
    // Few enough to be looked at one by one; and enough for large blocks to search for the nearest.
    for (const std::uint32_t finer : {1u, 2u}) {
        const Sampled solid(shapes::torus(1.0, 0.35, 48 * finer, 48 * finer));
        expect_outside_with_true_distances(solid, solid.sample(0.1, 0.9, 8000), 0.9);
    }
}

TEST(OutsideSamples, KnownOnesTellHowManyThereWillBe) {
    const Sampled solid(slab());
    const OutsideSamples known = solid.sample(0.1, 0.7, 3000);
    for (const double count : {1000.0, 20000.0}) {
        const OutsideSamples samples =
            sample_outside(solid.solid, solid.query, 0.04, 0.5, static_cast<std::size_t>(count), known);
        EXPECT_GT(double(samples.point.size()), 0.7 * count);
        EXPECT_LT(double(samples.point.size()), 1.4 * count);
    }
}

TEST(OutsideSamples, ThoseOfASolidInsideOutAreOutsideToo) {
    const Sampled solid(shapes::inside_out(slab()));
    expect_outside_with_true_distances(solid, solid.sample(0.1, 0.5, 3000), 0.5);
}

TEST(OutsideSamples, TheirVolumesAddUpToTheShellAroundABox) {
    const Sampled solid(slab());
    const double near = 0.12;
    const OutsideSamples samples = solid.sample(near, 0.8, 20000);
    const double cell = samples.width * samples.width * samples.width;
    for (const double distance : {0.06, 0.12, 0.25, 0.5, 0.8}) {  // below near and beyond it
        double volume = 0.0;
        for (std::size_t i = 0; i < samples.point.size(); ++i)
            volume += double(samples.distance[i]) <= distance ? double(samples.volume[i]) * cell : 0.0;
        EXPECT_NEAR(volume, shell_volume(distance), 0.03 * shell_volume(distance)) << distance;
    }
}

TEST(OutsideSamples, TheirVolumesAddUpOnEitherSideOfABox) {
    const Sampled solid(slab());
    const OutsideSamples samples = solid.sample(0.12, 0.8, 20000);
    for (int axis = 0; axis < 3; ++axis) {
        double side[2] = {0.0, 0.0};
        for (std::size_t i = 0; i < samples.point.size(); ++i)
            side[samples.point[i][axis] > 0.0 ? 1 : 0] += double(samples.volume[i]);
        EXPECT_NEAR(side[0] / side[1], 1.0, 0.05) << axis;
    }
}

TEST(OutsideSamples, ThereAreFewerForTheVolumeBeyondNear) {
    const Sampled solid(slab());
    const double near = 0.1;
    const OutsideSamples samples = solid.sample(near, 0.8, 20000);
    double count[2] = {0.0, 0.0};
    for (std::size_t i = 0; i < samples.point.size(); ++i) {
        const double distance = double(samples.distance[i]);
        if (distance <= near) {
            EXPECT_LE(samples.volume[i], 1.0F + 1e-5F) << i;  // cells as wide as they say, or smaller
            count[0] += 1.0;
        } else if (distance > 4.0 * near) {
            count[1] += 1.0;
        }
    }
    ASSERT_GT(count[1], 0.0);
    const double density[2] = {count[0] / shell_volume(near),
                               count[1] / (shell_volume(0.8) - shell_volume(4.0 * near))};
    EXPECT_LT(density[1], density[0] / 8.0);
    EXPECT_GT(density[1], density[0] / 256.0);
}

TEST(OutsideSamples, ThereAreAboutAsManyAsAskedFor) {
    for (const TriangleMesh& mesh : {slab(), shapes::torus(1.0, 0.35, 24, 12), shapes::sheet(3)}) {
        const Sampled solid(mesh);
        for (const std::size_t count : {1000, 4000, 30000}) {
            for (const double near : {0.05, 0.3}) {
                const auto found = double(solid.sample(near, 0.6, count).point.size());
                EXPECT_GE(found, 0.5 * double(count)) << mesh.triangles.size() << " triangles " << near;
                EXPECT_LE(found, 3.0 * double(count)) << mesh.triangles.size() << " triangles " << near;
            }
        }
    }
}

TEST(OutsideSamples, OpenSheetHasThemOnBothSides) {
    const Sampled solid(shapes::sheet(4));
    const OutsideSamples samples = solid.sample(0.1, 0.4, 4000);
    expect_one_of_each(samples);
    std::size_t above = 0;
    for (std::size_t i = 0; i < samples.point.size(); ++i) {
        const double distance = solid.query.closest(samples.point[i]).distance;
        ASSERT_NEAR(double(samples.distance[i]), distance, 1e-6 * (distance + solid.query.flat().unit()))
            << i;
        above += samples.point[i].z() > 0.0 ? 1 : 0;
    }
    EXPECT_GT(samples.point.size(), 2000u);
    EXPECT_NEAR(double(above), 0.5 * double(samples.point.size()), 0.05 * double(samples.point.size()));
}

TEST(OutsideSamples, BoxWithoutALidHasThemOnBothSides) {
    TriangleMesh mesh = slab();
    mesh.triangles.resize(10);
    const Sampled open(mesh);
    ASSERT_EQ(open.solid.kind(), SolidKind::kShell);
    const OutsideSamples samples = open.sample(0.1, 0.15, 6000);
    expect_outside_with_true_distances(open, samples, 0.15);
    const Eigen::AlignedBox3d box(Vector3d(-1.0, -0.5, -0.2), Vector3d(1.0, 0.5, 0.2));
    std::size_t within = 0;
    for (const Vector3d& point : samples.point) within += box.contains(point) ? 1u : 0u;
    EXPECT_GT(within, 1000u);
}

TEST(OutsideSamples, TheyAreTheSameForOneThreadAndForFour) {
    const Sampled solid(shapes::torus(1.0, 0.35, 24, 12));
    const auto sampled = [&](std::size_t threads) {
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        return solid.sample(0.1, 0.6, 6000);
    };
    const OutsideSamples one = sampled(1);
    const OutsideSamples four = sampled(4);
    EXPECT_EQ(one.width, four.width);
    EXPECT_EQ(one.point, four.point);
    EXPECT_EQ(one.distance, four.distance);
    EXPECT_EQ(one.volume, four.volume);
}

}  // namespace
}  // namespace espalier
