// SPDX-License-Identifier: GPL-3.0-or-later
// From a body in memory to an asset that the runtime opens.
#include <gtest/gtest.h>

#include <array>

#include "builder/aabb/options.h"
#include "builder/asset/aligned_bytes.h"
#include "builder/asset/describe.h"
#include "builder/bake.h"
#include "builder/box/options.h"
#include "builder/import/memory_mesh.h"

namespace espalier::test {
namespace {

/// An open box of `steps` by 4 walls, 12 bytes a vertex: enough triangles for some nodes.
PolygonSoup tube(std::uint32_t steps, double length) {
    std::vector<std::array<double, 3>> points;
    std::vector<std::uint32_t> corners;
    const double ring[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    for (std::uint32_t i = 0; i <= steps; ++i)
        for (std::uint32_t k = 0; k < 4; ++k) {
            points.push_back({ring[k][0], ring[k][1], length * i / steps});
            const std::uint32_t at = 4 * i + k, next = 4 * i + (k + 1) % 4;
            if (i < steps) corners.insert(corners.end(), {at, next, next + 4, at, next + 4, at + 4});
        }
    return import_mesh(MemoryMesh{"tube", points, corners}).value();
}

std::string numbered(std::string stem, std::uint32_t i) {
    stem += std::to_string(i);
    return stem;
}

/// A part without area.
PolygonSoup needle() {
    constexpr std::array<double, 3> points[] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    constexpr std::uint32_t corners[] = {0, 1, 2};
    return import_mesh(MemoryMesh{"needle", points, corners}).value();
}

BodyPart part(const std::string& name, std::uint32_t shape, double x, std::uint32_t parent = kNoIndex) {
    BodyPart made;
    made.name = name;
    made.shape = shape;
    made.parent = parent;
    made.translation.x() = x;
    return made;
}

/// Two shapes: one wheel twice, one axle between them.
BodyDescription cart() {
    BodyDescription body;
    body.shapes.push_back({"axle", tube(6, 3)});
    body.shapes.push_back({"wheel", tube(9, 0.5)});
    body.parts = {part("axle", 0, 0), part("left", 1, -1, 0), part("right", 1, 1, 0),
                  part("hook", kNoIndex, 4, 0)};
    body.parts[1].joint = {Joint::kContinuous,   "turn", {0, 0, 1}, -__builtin_huge_val(),
                           __builtin_huge_val(), {}};
    body.pairs = {{0, 1, 0, 0, PairReason::kAdjacent, 0, 0}};
    return body;
}

BakeOptions small_trees() {
    BakeOptions options;
    options.trees = {aabb_tree(), box_tree()};
    return options;
}

struct Opened {
    AlignedBytes bytes;
    OpenedAsset asset;
};

std::unique_ptr<Opened> opened(std::span<const std::uint8_t> bytes) {
    auto made = std::make_unique<Opened>(Opened{AlignedBytes(bytes), {}});
    EXPECT_EQ(open_asset({made->bytes.data(), made->bytes.size()}, &made->asset), Status::kOk);
    return made;
}

TEST(BakeBody, ShapesAreStoredOnceAndPartsPlaceThem) {
    Progress silent;
    const Result<Baked> baked = bake_body(cart(), small_trees(), silent);
    ASSERT_TRUE(baked) << baked.error().message;
    const auto file = opened(baked.value().bytes);
    const Asset& asset = file->asset.asset;
    ASSERT_EQ(asset.shape_count(), 2u);
    ASSERT_EQ(asset.part_count(), 4u);
    ShapeView left, right;
    ASSERT_EQ(asset.part(1, &left), Status::kOk);
    ASSERT_EQ(asset.part(2, &right), Status::kOk);
    EXPECT_STREQ(left.name, "left");
    EXPECT_EQ(left.mesh.positions, right.mesh.positions);
    EXPECT_EQ(left.mesh.triangle_count, 72u);
    EXPECT_EQ(asset.part(3, &left), Status::kNoShape);
    PartNode node;
    ASSERT_EQ(asset.part_node(1, &node), Status::kOk);
    EXPECT_EQ(node.joint, Joint::kContinuous);
    EXPECT_STREQ(asset.name(node.joint_name), "turn");
    EXPECT_EQ(node.translation[0], -1);
    EXPECT_EQ(asset.pair_count(), 1u);
}

TEST(BakeBody, ReportCountsShapesOnceAndPlacementsApart) {
    Progress silent;
    const BakeReport report = bake_body(cart(), small_trees(), silent).value().report;
    ASSERT_EQ(report.shapes.size(), 2u);
    EXPECT_EQ(report.parts, 4u);
    EXPECT_EQ(report.sanitize.triangles, 48u + 72u);
    EXPECT_EQ(report.placed_triangles, 48u + 2 * 72u);
    ASSERT_EQ(report.trees.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(report.trees[i].nodes, report.shapes[0].trees[i].nodes + report.shapes[1].trees[i].nodes);
        EXPECT_EQ(report.trees[i].depth,
                  std::max(report.shapes[0].trees[i].depth, report.shapes[1].trees[i].depth));
    }
    EXPECT_FALSE(report.sanitize.topology.closed);
    const auto open = std::ranges::find(report.sanitize.findings, "S10", &Finding::number);
    ASSERT_NE(open, report.sanitize.findings.end());
    EXPECT_EQ(open->count, 16u);
    EXPECT_EQ(
        open->message,
        "shape 'axle': 8 edges have one triangle only: the surface is not closed; likewise in 1 other shape");
}

TEST(BakeBody, BytesAreTheSameForAnyNumberOfThreads) {
    Progress silent;
    BodyDescription body = cart();
    for (std::uint32_t i = 0; i < 20; ++i) {
        body.shapes.push_back({numbered("shape", i), tube(3 + 7 * i, 1 + i)});
        body.parts.push_back(part(numbered("part", i), 2 + i, i));
    }
    BakeOptions options = small_trees();
    options.jobs = 1;
    const std::vector<std::uint8_t> one = bake_body(body, options, silent).value().bytes;
    options.jobs = 4;
    EXPECT_EQ(bake_body(body, options, silent).value().bytes, one);
}

TEST(BakeBody, AShapeMayHaveTreesOfItsOwnAndTheyAreRecorded) {
    Progress silent;
    BodyDescription body = cart();
    AabbTreeOptions wide;
    wide.leaf_triangles = 8;
    body.shapes[1].trees = {aabb_tree(wide)};
    const auto file = opened(bake_body(body, small_trees(), silent).value().bytes);
    EXPECT_NE(file->asset.shapes[0].box.nodes, nullptr);
    EXPECT_EQ(file->asset.shapes[1].box.nodes, nullptr);
    const AssetDescription description = describe_asset(file->asset).value();
    const auto recorded = [&](const std::string& name) -> std::string {
        const auto at =
            std::ranges::find(description.options, name, [](const auto& option) { return option.first; });
        return at == description.options.end() ? "none" : at->second;
    };
    EXPECT_EQ(recorded("aabb-leaf"), "4");
    EXPECT_EQ(recorded("aabb-leaf@1"), "8");
    EXPECT_EQ(recorded("trees@1"), "aabb");
    EXPECT_EQ(recorded("trees@0"), "none");
}

TEST(BakeBody, OnePartIsTheFileThatItsMeshAloneMakes) {
    Progress silent;
    constexpr std::array<double, 3> points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    constexpr std::uint32_t corners[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    const MemoryMesh mesh{"block.obj", points, corners};
    BodyDescription body;
    body.shapes.push_back({"block", import_mesh(mesh).value()});
    body.parts = {part("block", 0, 0)};
    body.provenance = body.shapes[0].soup.provenance;
    const std::vector<std::uint8_t> bytes = bake_body(body, small_trees(), silent).value().bytes;
    EXPECT_EQ(bytes, bake(mesh, small_trees(), silent).value().bytes);
    const auto file = opened(bytes);
    EXPECT_FALSE(file->asset.asset.has_parts());
    EXPECT_STREQ(file->asset.asset.part_name(0), "block");
}

TEST(BakeBody, ARefusalNamesTheFirstShapeThatFails) {
    Progress silent;
    BodyDescription body = cart();
    body.shapes[0].soup = needle();
    body.shapes[1].soup = needle();
    const Result<Baked> baked = bake_body(body, small_trees(), silent);
    ASSERT_FALSE(baked);
    EXPECT_EQ(baked.error().kind, ErrorKind::kInvalidInput);
    EXPECT_EQ(baked.error().message.find("shape 0 (axle): no triangles left"), 0u) << baked.error().message;
}

TEST(BakeBody, AShapeThatMayVanishLeavesItsPartsAsFrames) {
    Progress silent;
    BodyDescription body = cart();
    body.shapes[0].soup = needle();
    body.shapes[0].may_vanish = true;
    const Result<Baked> baked = bake_body(body, small_trees(), silent);
    ASSERT_TRUE(baked) << baked.error().message;
    const auto file = opened(baked.value().bytes);
    EXPECT_EQ(file->asset.asset.shape_count(), 1u);
    EXPECT_EQ(file->asset.asset.part_count(), 4u);
    ShapeView view;
    EXPECT_EQ(file->asset.asset.part(0, &view), Status::kNoShape);
    EXPECT_EQ(file->asset.asset.part(2, &view), Status::kOk);
    EXPECT_EQ(baked.value().report.placed_triangles, 2 * 72u);
    EXPECT_EQ(baked.value().report.sanitize.findings.back().number, "B05");
    BakeOptions strict = small_trees();
    strict.strict = true;
    EXPECT_FALSE(bake_body(body, strict, silent));
}

TEST(BakeBody, NothingLeftOfAllShapesIsInvalidInput) {
    Progress silent;
    BodyDescription body = cart();
    for (BodyShape& shape : body.shapes) {
        shape.soup = needle();
        shape.may_vanish = true;
    }
    EXPECT_EQ(bake_body(body, small_trees(), silent).error().kind, ErrorKind::kInvalidInput);
}

TEST(BakeBody, ACancelledBakeGivesNothing) {
    Progress cancelled;
    cancelled.cancel();
    const Result<Baked> baked = bake_body(cart(), small_trees(), cancelled);
    ASSERT_FALSE(baked);
    EXPECT_EQ(baked.error().message, "cancelled");
}

TEST(BakeBodies, GiveOneAssetEachInTheirOrder) {
    Progress silent;
    const BodyDescription bodies[] = {cart(), BodyDescription{}, cart()};
    const std::vector<Result<Baked>> baked = bake_bodies(bodies, small_trees(), silent);
    ASSERT_EQ(baked.size(), 3u);
    EXPECT_FALSE(baked[1]);
    EXPECT_EQ(baked[0].value().bytes, baked[2].value().bytes);
}

}  // namespace
}  // namespace espalier::test
