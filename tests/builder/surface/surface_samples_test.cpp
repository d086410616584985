// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/surface/surface_samples.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "builder/surface/surface_pieces.h"
#include "tests/builder/sphere/shapes.h"

namespace espalier {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

TEST(SurfaceSamples, CountIsNearWhatWasAskedAndPointsLieOnTheirTriangles) {
    const TriangleMesh mesh = shapes::torus(1.0, 0.35, 40, 30);
    SampleOptions options;
    options.count = 2000;
    const auto samples = sample_surface(mesh, options);
    EXPECT_GT(samples.size(), 1600u);
    EXPECT_LT(samples.size(), 2200u);
    for (const SurfaceSample& s : samples) {
        const Vector3d nearest = closest_point_on_triangle(
            s.point, mesh.corner(s.triangle, 0), mesh.corner(s.triangle, 1), mesh.corner(s.triangle, 2));
        EXPECT_LT((nearest - s.point).norm(), 1e-6);
    }
}

TEST(SurfaceSamples, SmoothSurfaceHasNoTwoSamplesCloserThanTheSpacing) {
    const TriangleMesh mesh = shapes::torus(1.0, 0.35, 100, 60);
    SampleOptions options;
    options.count = 1000;
    const auto samples = sample_surface(mesh, options);
    const double spacing = sample_spacing(surface_area(mesh), options.count);
    for (std::size_t i = 0; i < samples.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_GE((samples[i].point - samples[j].point).norm(), spacing * (1.0 - 1e-9));
}

TEST(SurfaceSamples, CornersAndEdgesOfABoxAreSampled) {
    const TriangleMesh mesh = shapes::box(Vector3f(0, 0, 0), Vector3f(1, 2, 3));
    SampleOptions options;
    options.count = 500;
    const auto samples = sample_surface(mesh, options);
    for (const auto& corner : mesh.positions) {
        EXPECT_TRUE(std::any_of(samples.begin(), samples.end(),
                                [&](const SurfaceSample& s) { return s.point == corner.cast<double>(); }));
    }
    const auto on_long_edge = std::count_if(samples.begin(), samples.end(), [](const SurfaceSample& s) {
        return s.point.x() == 0.0 && s.point.y() == 0.0;
    });
    EXPECT_GT(on_long_edge, 10);
}

}  // namespace
}  // namespace espalier
