// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere/coverage/volume_coverage.h"

#include <gtest/gtest.h>

#include "builder/sphere/sphere_tree.h"
#include "tests/builder/sphere/shapes.h"

namespace espalier {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

/// Its triangles fill a small part of their bounding boxes.
TriangleMesh octahedron() {
    TriangleMesh mesh;
    for (const float sign : {1.0F, -1.0F})
        for (int axis = 0; axis < 3; ++axis) mesh.positions.push_back(sign * Vector3f::Unit(axis));
    for (const std::uint32_t x : {0u, 3u}) {
        for (const std::uint32_t y : {1u, 4u}) {
            for (const std::uint32_t z : {2u, 5u}) {
                const bool outward = (x == 0u) == ((y == 1u) == (z == 2u));
                mesh.triangles.push_back({x, outward ? y : z, outward ? z : y});
            }
        }
    }
    return mesh;
}

/// A mesh with what the proof needs of it.
struct Filled {
    explicit Filled(const TriangleMesh& mesh) : solid(mesh), boxes(solid.boundary()) {}
    operator SolidVolume() const { return {solid, boxes}; }

    Solid solid;
    TriangleBoxes boxes;
};

TEST(VolumeCoverage, BallAroundASolidIsEnoughAndDoesNotGrow) {
    std::vector<Ball> balls = {{Vector3d::Zero(), 1.001}};
    EXPECT_TRUE(volume_covered(Filled(octahedron()), balls));
    cover_volume(Filled(octahedron()), balls);
    EXPECT_EQ(balls[0].radius, 1.001);
}

TEST(VolumeCoverage, HoleInTheMiddleIsFoundAndFilled) {
    const TriangleMesh box = shapes::box(Vector3f::Constant(-1.0F), Vector3f::Constant(1.0F));
    std::vector<Ball> balls;
    for (int k = 0; k < 8; ++k) {  // they cover the sides, and just not the middle
        const Vector3d corner((k & 1) != 0 ? 0.65 : -0.65, (k & 2) != 0 ? 0.65 : -0.65,
                              (k & 4) != 0 ? 0.65 : -0.65);
        balls.push_back({corner, 1.0});
    }
    EXPECT_FALSE(volume_covered(Filled(box), balls));
    cover_volume(Filled(box), balls);
    EXPECT_TRUE(volume_covered(Filled(box), balls));
    for (const Ball& ball : balls)
        EXPECT_LT(ball.radius, 1.35);  // the middle is 1.126 away, and one may fill all of it
}

TEST(VolumeCoverage, BallsThatMissACornerDoNotCover) {
    EXPECT_FALSE(volume_covered(Filled(octahedron()), std::vector<Ball>{{Vector3d(0.0, 0.0, 0.01), 1.002}}));
}

TEST(VolumeCoverage, OpenMeshIsNeverCovered) {
    EXPECT_FALSE(volume_covered(Filled(shapes::sheet(4)), std::vector<Ball>{{Vector3d::Zero(), 100.0}}));
}

TEST(VolumeCoverage, TreeThatCoversTheVolumeIsHardlyLarger) {
    const TriangleMesh mesh = shapes::torus(1.0, 0.35, 24, 12);
    SphereTreeOptions options;
    options.levels = 3;
    options.effort = SphereEffort::kFast;
    Progress progress;
    const Result<SphereTree> surface = build_sphere_tree(mesh, options, progress);
    options.cover_volume = true;
    const Result<SphereTree> volume = build_sphere_tree(mesh, options, progress);
    ASSERT_TRUE(surface.ok() && volume.ok());
    EXPECT_TRUE(volume.value().certificate.volume_proved);
    EXPECT_LT(volume.value().levels[2].outside_volume, 1.3 * surface.value().levels[2].outside_volume);
}

}  // namespace
}  // namespace espalier
