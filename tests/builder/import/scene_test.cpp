// SPDX-License-Identifier: GPL-3.0-or-later
// A scene merged: order, transforms along the chain of parents, mirrored nodes, and what is refused.
#include "builder/import/scene.h"

#include <gtest/gtest.h>

#include <numbers>

#include "builder/import/import.h"
#include "tests/support/temporary_folder.h"

namespace espalier {
namespace {

using Eigen::Vector3d;

PolygonSoup triangle_at(double x) {
    PolygonSoup soup;
    soup.points = {{x, 0, 0}, {x + 1, 0, 0}, {x, 1, 0}};
    soup.add_polygon(std::vector<std::uint32_t>{0, 1, 2});
    return soup;
}

SceneNode node_of(std::uint32_t parent, const Eigen::Affine3d& to_parent, std::uint32_t mesh) {
    return {"", parent, to_parent, mesh};
}

TEST(Scene, OneMeshMergesToItself) {
    PolygonSoup soup = triangle_at(0.1);
    soup.scale = 2;
    soup.unit = "foot";
    soup.findings.push_back({"M02", Severity::kInfo, "no final newline", 1, ""});
    const Scene scene = scene_of("a", soup);
    EXPECT_EQ(scene.nodes.size(), 1u);
    EXPECT_EQ(scene.nodes[0].name, "a");
    const auto merged = merge_scene(scene);
    ASSERT_TRUE(merged.ok());
    EXPECT_EQ(merged.value().points, soup.points);
    EXPECT_EQ(merged.value().corners, soup.corners);
    EXPECT_EQ(merged.value().first_corner, soup.first_corner);
    EXPECT_EQ(merged.value().scale, 2);
    EXPECT_EQ(merged.value().unit, "foot");
    ASSERT_EQ(merged.value().findings.size(), 1u);
}

TEST(Scene, MergesNodeByNodeAlongTheirParents) {
    Scene scene;
    scene.meshes = {{"", triangle_at(0)}, {"", triangle_at(10)}};
    const Eigen::Affine3d up(Eigen::Translation3d(0, 0, 5));
    const Eigen::Affine3d turn(Eigen::AngleAxisd(std::numbers::pi / 2, Vector3d::UnitZ()));
    scene.nodes = {node_of(kNone, up, kNone), node_of(0, turn, 1), node_of(kNone, up, 0)};
    const auto merged = merge_scene(scene);
    ASSERT_TRUE(merged.ok());
    ASSERT_EQ(merged.value().points.size(), 6u);
    EXPECT_TRUE(merged.value().points[0].isApprox(Vector3d(0, 10, 5)));
    EXPECT_TRUE(merged.value().points[2].isApprox(Vector3d(-1, 10, 5)));
    EXPECT_EQ(merged.value().points[3], Vector3d(0, 0, 5));
    EXPECT_EQ(merged.value().corners, (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(merged.value().first_corner, (std::vector<std::size_t>{0, 3, 6}));
}

TEST(Scene, AMirroringNodeReversesItsPolygons) {
    Scene scene;
    scene.meshes = {{"", triangle_at(0)}};
    const Eigen::Affine3d mirror(Eigen::Scaling(-1.0, 1.0, 1.0));
    scene.nodes = {node_of(kNone, mirror, 0), node_of(0, mirror, 0)};
    const auto merged = merge_scene(scene);
    ASSERT_TRUE(merged.ok());
    EXPECT_EQ(merged.value().corners, (std::vector<std::uint32_t>{2, 1, 0, 3, 4, 5}));
}

TEST(Scene, MoreTrianglesThanMemoryHoldsAreRefusedBeforeAnyIsMade) {
    Scene scene;
    scene.meshes = {{"", triangle_at(0)}};
    for (int i = 0; i < 1000; ++i) scene.meshes[0].soup.add_polygon(std::vector<std::uint32_t>(400, 0));
    scene.nodes.assign(1000, node_of(kNone, Eigen::Affine3d::Identity(), 0));
    const auto merged = merge_scene(scene);
    ASSERT_FALSE(merged.ok());
    EXPECT_EQ(merged.error().kind, ErrorKind::kUnsupported);
}

TEST(Scene, AFileWithOneMeshHasOneNodeCalledByItsStem) {
    const testing::TemporaryFolder folder;
    const auto path = folder.write("lever.arm.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    const auto scene = import_scene(path, {.scale = 0.5, .unit = "foot"});
    ASSERT_TRUE(scene.ok()) << scene.error().message;
    ASSERT_EQ(scene.value().nodes.size(), 1u);
    EXPECT_EQ(scene.value().nodes[0].name, "lever.arm");
    EXPECT_EQ(scene.value().nodes[0].mesh, 0u);
    EXPECT_EQ(scene.value().meshes[0].soup.points[1], Vector3d(0.5, 0, 0));
    EXPECT_EQ(scene.value().unit, "foot");
    EXPECT_EQ(scene.value().scale, 0.5);
    EXPECT_EQ(scene.value().provenance.source_name, "lever.arm.off");
}

}  // namespace
}  // namespace espalier
