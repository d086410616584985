// SPDX-License-Identifier: GPL-3.0-or-later
// The smallest assets: node vectors of no, one or a few nodes must lie where readers look for them, whatever
// is written around them.
#include <gtest/gtest.h>

#include "builder/aabb/row.h"
#include "builder/asset/check.h"
#include "builder/asset/write_asset.h"
#include "builder/box/row.h"
#include "tests/support/baked_mesh.h"

namespace espalier {
namespace {

/// A strip of `count` triangles.
TriangleMesh strip(std::uint32_t count) {
    TriangleMesh mesh;
    for (std::uint32_t i = 0; i < count + 2; ++i)
        mesh.positions.emplace_back(static_cast<float>(i), static_cast<float>(i % 2), 0.25F);
    for (std::uint32_t i = 0; i < count; ++i) mesh.triangles.push_back({i, i + 1, i + 2});
    return mesh;
}

/// The names' lengths shift everything that is written before them.
std::vector<std::uint8_t> bytes_of(const TriangleMesh& mesh, bool aabb, std::size_t name_length) {
    Progress silent;
    AssetContents contents;
    BakedShape& part = contents.shapes.emplace_back();
    part.name = std::string(name_length, 'n');
    part.mesh = mesh;
    if (aabb) part.trees.push_back(built_tree(build_aabb_tree(mesh, {}, silent)));
    part.trees.push_back(built_tree(build_box_tree(mesh, {}, silent)));
    return write_asset(contents).value();
}

TEST(SmallMeshes, EveryTriangleCountAndNeighbourGivesASoundAsset) {
    for (std::uint32_t triangles = 1; triangles <= 70; ++triangles)
        for (const bool aabb : {false, true}) {
            const std::size_t name_length = triangles % 9;
            const testing::ExactBytes bytes(bytes_of(strip(triangles), aabb, name_length));
            Asset asset;
            ASSERT_EQ(open(bytes.data(), bytes.size(), Verify::kFull, &asset), Status::kOk)
                << triangles << " triangles, aabb tree: " << aabb << ", name of " << name_length;
            ShapeView part;
            ASSERT_EQ(asset.part(0, &part), Status::kOk);
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(part.box.nodes) % 64, 0u) << triangles << " triangles";
            const Result<CheckReport> report = check_asset(bytes.span());
            ASSERT_TRUE(report.ok());
            EXPECT_TRUE(report.value().ok()) << triangles << " triangles";
        }
}

}  // namespace
}  // namespace espalier
