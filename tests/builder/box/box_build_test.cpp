// SPDX-License-Identifier: GPL-3.0-or-later
// The box tree as built and written: size, containment, depth bound, determinism.
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "builder/asset/check.h"
#include "runtime/src/box/codec.h"
#include "tests/support/box_fixture.h"

namespace espalier::test {
namespace {

constexpr BoxSplit kSplits[] = {BoxSplit::kBinned, BoxSplit::kVolume, BoxSplit::kLongest};

void expect_sound(const BakedBytes& baked, const std::string& what) {
    ASSERT_EQ(baked.status, Status::kOk) << what << ": " << status_text(baked.status);
    EXPECT_LE(baked.part.box.depth, kMaxBoxDepth) << what;
    const Result<CheckReport> report = check_asset({baked.bytes->data(), baked.bytes->size()});
    ASSERT_TRUE(report.ok()) << what;
    for (const CheckItem& item : report.value().items)
        EXPECT_TRUE(item.ok) << what << ": " << item.name << ": " << item.message;
}

TEST(BoxBuild, EveryCorpusMeshLiesInItsBoxesForAllSplitsAndLeafSizes) {
    for (const corpus::CorpusMesh& kind : corpus::corpus_meshes())
        for (const BoxSplit split : kSplits)
            for (const std::uint32_t leaf : {1u, 3u, 4u, 8u}) {
                const BoxTreeOptions options{split, leaf};
                expect_sound(
                    bake_mesh(kind.make_near(3000), options),
                    kind.name + " split " + std::to_string(int(split)) + " leaf " + std::to_string(leaf));
            }
}

TEST(BoxBuild, HierarchyTakesAtMostEightBytesATriangleAndTwoOrOneWithFullLeaves) {
    const TriangleMesh mesh = corpus::find_corpus_mesh("torus")->make();
    const auto bytes = [&](std::uint32_t leaf) {
        Progress progress;
        const BoxTree tree = build_box_tree(mesh, {BoxSplit::kBinned, leaf}, progress);
        return double(tree.nodes.size() * sizeof(BoxNode)) / double(mesh.triangles.size());
    };
    EXPECT_LE(bytes(1), 8.0);
    EXPECT_LE(bytes(4), 2.0);
    EXPECT_LE(bytes(8), 1.0);
}

TEST(BoxBuild, SingleTriangleAndSingleLeafHaveNoNodes) {
    TriangleMesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    mesh.triangles = {{0, 1, 2}};
    const BakedBytes baked = bake_mesh(mesh, {});
    expect_sound(baked, "one triangle");
    EXPECT_EQ(baked.part.box.leaf_count, 1u);
    EXPECT_EQ(baked.part.box.depth, 0u);
}

/// Triangles at 2^-i: every division by volume would chip off one of them.
TriangleMesh geometric_row(int count) {
    TriangleMesh mesh;
    float x = 1.0F;
    for (int i = 0; i < count; ++i, x *= 0.5F) {
        const auto first = static_cast<std::uint32_t>(mesh.positions.size());
        mesh.positions.push_back({x, 0, 0});
        mesh.positions.push_back({x, x, 0});
        mesh.positions.push_back({x, 0, x});
        mesh.triangles.push_back({first, first + 1, first + 2});
    }
    return mesh;
}

TEST(BoxBuild, DepthStaysBoundedOnARowThatHalvesAHundredTimes) {
    for (const BoxSplit split : kSplits) {
        const BakedBytes baked = bake_mesh(geometric_row(100), {split, 1});
        expect_sound(baked, "row");
        EXPECT_GT(baked.part.box.depth, 7u);
    }
}

TEST(BoxBuild, TrianglesWithOneCommonMiddleAreDividedByCount) {
    TriangleMesh mesh;
    for (int i = 1; i <= 500; ++i) {
        const float s = static_cast<float>(i);
        const auto first = static_cast<std::uint32_t>(mesh.positions.size());
        mesh.positions.insert(mesh.positions.end(), {{-s, -s, 0}, {s, -s, 0}, {0, s, 0}});
        mesh.triangles.push_back({first, first + 1, first + 2});
    }
    for (const BoxSplit split : kSplits) expect_sound(bake_mesh(mesh, {split, 1}), "concentric");
}

TEST(BoxBuild, TreesOfMoreThan65536LeavesStoreLeftCountsInUnits) {
    EXPECT_EQ(left_unit_shift(65536), 0u);
    EXPECT_EQ(left_unit_shift(65537), 1u);
    EXPECT_EQ(left_unit_shift(131072), 1u);
    EXPECT_EQ(left_unit_shift(131073), 2u);
    const TriangleMesh mesh = corpus::find_corpus_mesh("torus")->make_near(200000);
    expect_sound(bake_mesh(mesh, {BoxSplit::kBinned, 1}), "large torus");
}

TEST(BoxBuild, SameBytesForOneAndForTwoThreads) {
    const TriangleMesh mesh = corpus::find_corpus_mesh("engine-bay")->make();
    for (const BoxSplit split : kSplits) {
        std::vector<std::uint8_t> bytes[2];
        for (std::size_t threads = 1; threads <= 2; ++threads) {
            tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
            const BakedBytes baked = bake_mesh(mesh, {split, 4});
            bytes[threads - 1].assign(baked.bytes->data(), baked.bytes->data() + baked.bytes->size());
        }
        EXPECT_EQ(bytes[0], bytes[1]);
    }
}

TEST(BoxBuild, BesideAnAabbTreeTheBoxTreeHasItsOwnOrder) {
    const TriangleMesh mesh = corpus::find_corpus_mesh("gear")->make();
    const BakedBytes both = bake_mesh(mesh, {}, true);
    expect_sound(both, "both trees");
    EXPECT_NE(both.part.box.triangle_order, nullptr);
    EXPECT_EQ(bake_mesh(mesh, {}).part.box.triangle_order, nullptr);
}

TEST(BoxBuild, CheckNoticesABoxThatCutsATriangle) {
    BakedBytes baked = bake_mesh(corpus::find_corpus_mesh("torus")->make(), {});
    BoxNode node = baked.part.box.nodes[0];
    node.cut[0] = node.cut[1] = 100;
    std::memcpy(baked.bytes->data() +
                    (reinterpret_cast<const std::uint8_t*>(baked.part.box.nodes) - baked.bytes->data()),
                &node, sizeof(node));
    baked.reseal();
    const Result<CheckReport> report = check_asset({baked.bytes->data(), baked.bytes->size()});
    ASSERT_TRUE(report.ok());
    EXPECT_FALSE(report.value().ok());
}

}  // namespace
}  // namespace espalier::test
