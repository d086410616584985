// SPDX-License-Identifier: GPL-3.0-or-later
// Construction of cell trees: coverage proved by `check`, edges, empty cells, stop rules, determinism.
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <set>

#include "builder/asset/check.h"
#include "corpus/engine_bay.h"
#include "tests/support/cell_fixture.h"
#include "tests/support/meshes.h"

namespace espalier::test {
namespace {

CheckReport check(const BakedBytes& baked) {
    return check_asset({baked.bytes->data(), baked.bytes->size()}).value();
}

void expect_sound(const BakedBytes& baked, const std::string& what) {
    ASSERT_EQ(baked.status, Status::kOk) << what;
    for (const CheckItem& item : check(baked).items) EXPECT_TRUE(item.ok) << what << ": " << item.message;
}

CellStatistics statistics(const BakedBytes& baked) {
    return cell_statistics(baked.part);
}

TEST(CellBuild, CheckProvesEveryOptionOnTenMeshes) {
    CellTreeOptions options[5];
    options[1].depth = 16;
    options[1].empty_share = 0.02;
    options[2].gamma = 0.5;
    options[2].delta = 0;
    options[3].empty_share = 1;
    options[3].delta = 0.01;
    options[3].depth = 12;
    options[4].lambda = 1;
    options[4].depth = 10;
    options[4].min_triangles = 7;
    for (const testing::NamedTriangles& mesh : testing::ten_small_meshes(700))
        for (const CellTreeOptions& option : options)
            expect_sound(bake_cells(mesh.mesh, option), mesh.name + " depth " + std::to_string(option.depth));
}

TEST(CellBuild, CheckProvesTheEngineBayAndASoup) {
    expect_sound(bake_cells(corpus::make_engine_bay()), "engine bay");
    CellTreeOptions deep;
    deep.depth = kMaxCellDepth;
    expect_sound(bake_cells(testing::random_soup(5, 3000), deep), "soup");
}

TEST(CellBuild, CheckFindsATriangleAndAnEdgeThatACellMisses) {
    const auto spoil = [](bool edges) {
        CellTreeOptions options;
        options.depth = 12;
        BakedBytes baked = bake_cells(corpus::find_corpus_mesh("torus")->make_near(600), options);
        const std::uint32_t* lists = edges ? baked.part.cell.edges : baked.part.cell.triangles;
        const std::uint32_t count = edges ? baked.part.cell.edge_entries : baked.part.cell.triangle_entries;
        auto* entries = reinterpret_cast<std::uint32_t*>(
            baked.bytes->data() + (reinterpret_cast<const std::uint8_t*>(lists) - baked.bytes->data()));
        // Another one instead of one that is listed elsewhere too, so that it does not vanish altogether.
        std::uint32_t spoiled = count / 2;
        while (std::count(entries, entries + count, entries[spoiled]) < 2) ++spoiled;
        entries[spoiled] = entries[0];
        baked.reseal();
        baked.open_bytes();
        EXPECT_EQ(baked.status, Status::kOk);
        return check(baked);
    };
    for (const bool edges : {false, true}) {
        const CheckReport report = spoil(edges);
        EXPECT_FALSE(report.ok());
        bool named = false;
        for (const CheckItem& item : report.items)
            if (!item.ok && item.name == (edges ? "cells list every edge that they meet"
                                                : "cells list every triangle that they meet"))
                named = item.message.find("does not list it") != std::string::npos;
        EXPECT_TRUE(named);
    }
}

TEST(CellBuild, CheckFindsACutThatWasMoved) {
    BakedBytes baked = bake_cells(corpus::find_corpus_mesh("torus")->make_near(600));
    auto* node = reinterpret_cast<CellNode*>(
        baked.bytes->data() +
        (reinterpret_cast<const std::uint8_t*>(baked.part.cell.nodes) - baked.bytes->data()));
    const float cut = cell_cut(*node) + 0.05F * (baked.part.hi[0] - baked.part.lo[0]);
    std::memcpy(&node->first, &cut, 4);
    baked.reseal();
    baked.open_bytes();
    ASSERT_EQ(baked.status, Status::kOk);
    EXPECT_FALSE(check(baked).ok());
}

TEST(CellBuild, EdgesAreListedOnceWithBoundaryAndNonManifoldOnes) {
    // Three triangles on one edge, and one alone.
    TriangleMesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0},
                      {0, 0, 1}, {5, 5, 5}, {6, 5, 5}, {5, 6, 5}};
    mesh.triangles = {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}, {5, 6, 7}};
    EXPECT_EQ(unique_edges(mesh).size(), 10u);
    const BakedBytes baked = bake_cells(mesh);
    expect_sound(baked, "fins");
    EXPECT_EQ(statistics(baked).edges, 10u);
    EXPECT_EQ(edges_of(baked.part).size(), 10u);
}

TEST(CellBuild, TheDefaultDepthIsThePapersTableAndGrowsWithEveryDoubling) {
    const std::pair<std::uint64_t, std::uint32_t> expected[] = {
        {1, 4},    {100, 4},  {101, 5},   {300, 5},   {700, 6},    {1300, 7},
        {2000, 8}, {3000, 9}, {6000, 10}, {6001, 11}, {12000, 11}, {100000000, 25}};
    for (const auto& [triangles, depth] : expected)
        EXPECT_EQ(default_cell_depth(triangles), depth) << triangles;
}

/// What a tree shows of the rules that stopped its construction. A cut with an empty side chipped off a cell;
/// the others are balanced.
struct Cuts {
    std::uint32_t balanced_depth = 0;         ///< most balanced cuts on a path
    std::size_t least_cut = ~std::size_t{0};  ///< fewest triangles of a cell with a balanced cut
    double most_kept = 0;        ///< largest share of its triangles that such a cut left on a side
    double most_kept_small = 0;  ///< the same among cells of no more than 64 triangles

    explicit Cuts(const CellTreeView& tree) { visit(tree, {0, tree.unit_count}, 0); }

  private:
    std::set<std::uint32_t> visit(const CellTreeView& tree, const CellRange& cell, std::uint32_t cuts) {
        balanced_depth = std::max(balanced_depth, cuts);
        if (cell.leaf()) {
            const CellLists lists = cell_leaf_lists(tree.nodes, cell);
            const std::uint32_t* first = tree.triangles + lists.first_triangle;
            return {first, first + lists.triangle_count};
        }
        const CellRange child[2] = {cell_child(tree.nodes, cell, 0), cell_child(tree.nodes, cell, 1)};
        if (child[0].empty()) return visit(tree, child[1], cuts);
        if (child[1].empty()) return visit(tree, child[0], cuts);
        const std::set<std::uint32_t> part[2] = {visit(tree, child[0], cuts + 1),
                                                 visit(tree, child[1], cuts + 1)};
        std::set<std::uint32_t> all = part[0];
        all.insert(part[1].begin(), part[1].end());
        const double kept =
            static_cast<double>(std::max(part[0].size(), part[1].size())) / static_cast<double>(all.size());
        least_cut = std::min(least_cut, all.size());
        (all.size() > 64 ? most_kept : most_kept_small) =
            std::max(all.size() > 64 ? most_kept : most_kept_small, kept);
        return all;
    }
};

TEST(CellBuild, NoPathHasMoreBalancedCutsThanTheDepth) {
    const TriangleMesh mesh = corpus::find_corpus_mesh("torus")->make_near(2000);
    CellTreeOptions options;
    options.depth = 5;
    options.empty_share = 1;
    EXPECT_EQ(bake_cells(mesh, options).part.cell.depth, 5u);
    options.empty_share = 0.05;
    const BakedBytes chipped = bake_cells(mesh, options);
    EXPECT_GT(chipped.part.cell.depth, 5u);  // empty cells are chipped off beside
    EXPECT_EQ(Cuts(chipped.part.cell).balanced_depth, 5u);
    options.empty_share = 0.001;
    options.depth = kMaxCellDepth - 2;
    EXPECT_LE(bake_cells(mesh, options).part.cell.depth, kMaxCellDepth);
}

TEST(CellBuild, CellsOfTheLeastCountAreNotCut) {
    const TriangleMesh mesh = corpus::find_corpus_mesh("torus")->make_near(2000);
    CellTreeOptions options;
    options.depth = 20;
    const std::size_t finest = Cuts(bake_cells(mesh, options).part.cell).least_cut;
    EXPECT_LT(finest, 12u);
    options.min_triangles = 30;
    const std::size_t coarse = Cuts(bake_cells(mesh, options).part.cell).least_cut;
    EXPECT_GT(coarse, 30u);
    EXPECT_LT(coarse, 60u);
}

TEST(CellBuild, NoSideOfACutKeepsMoreThanLambdaAndLessOfSmallCells) {
    for (const char* name : {"torus", "tetra-flake"}) {
        const TriangleMesh mesh = corpus::find_corpus_mesh(name)->make_near(2000);
        CellTreeOptions options;
        options.depth = 20;
        const Cuts usual(bake_cells(mesh, options).part.cell);
        EXPECT_LE(usual.most_kept, 0.8) << name;
        EXPECT_LE(usual.most_kept_small, 0.75 * 0.8) << name;
        EXPECT_GT(usual.most_kept_small, 0.55) << name;
        options.lambda = 1;
        EXPECT_GT(Cuts(bake_cells(mesh, options).part.cell).most_kept_small, 0.75 * 0.8) << name;
        options.lambda = 0.4;  // no cut of two halves leaves less on both sides
        options.empty_share = 1;
        EXPECT_EQ(bake_cells(mesh, options).part.cell.unit_count, kCellLeafUnits) << name;
    }
}

TEST(CellBuild, LeavesListEdgesAndPolygonsAsOftenAsInThePaper) {
    // "a BoxTree contains by a factor of 1.2 - 1.6 more pointers to edges/faces than there really are".
    // Flakes have large triangles beside small ones, which cross most.
    const std::pair<const char*, double> most[] = {{"torus", 1.6}, {"uv-sphere", 1.6}, {"tetra-flake", 1.9}};
    for (const auto& [name, limit] : most)
        for (const std::uint32_t triangles : {400u, 1000u, 4000u}) {
            const BakedBytes baked = bake_cells(corpus::find_corpus_mesh(name)->make_near(triangles));
            const double entries = double(baked.part.cell.triangle_entries) + baked.part.cell.edge_entries;
            const double factor =
                entries / static_cast<double>(baked.part.mesh.triangle_count + statistics(baked).edges);
            EXPECT_GT(factor, 1.1) << name << " of " << triangles;
            EXPECT_LT(factor, limit) << name << " of " << triangles;
        }
}

TEST(CellBuild, EmptyCellsGrowWithComplexityAndTakeNoBytes) {
    const auto torus = [](std::uint32_t triangles, double share) {
        CellTreeOptions options;
        options.empty_share = share;
        return bake_cells(corpus::find_corpus_mesh("torus")->make_near(triangles), options);
    };
    const CellStatistics small = statistics(torus(400, 0.1)), large = statistics(torus(40000, 0.1));
    EXPECT_GT(small.empty_volume, 0.05);
    EXPECT_GT(large.empty_volume, small.empty_volume);
    EXPECT_GT(large.empty_volume, 0.4);
    EXPECT_EQ(statistics(torus(400, 1)).empty_cells, 0u);
    const BakedBytes baked = torus(4000, 0.1);
    const TreeDescription tree = describe_cell_tree(baked.part);
    EXPECT_EQ(baked.part.cell.unit_count, tree.nodes + kCellLeafUnits * tree.leaves);
    EXPECT_EQ(tree.nodes + 1, tree.leaves + statistics(baked).empty_cells);
}

TEST(CellBuild, FacesThatTouchACutAreOnOneSideOfIt) {
    // The cuts of a regular grid fall on its lines: without thickness every face beside one would be on both.
    const TriangleMesh mesh = corpus::find_corpus_mesh("box")->make_near(3000);
    const BakedBytes baked = bake_cells(mesh);
    EXPECT_LT(statistics(baked).triangle_duplication, 1.6);
}

TEST(CellBuild, BytesDoNotDependOnTheThreadCount) {
    const TriangleMesh mesh = corpus::make_engine_bay();
    const auto bytes = [&](std::size_t threads) {
        const tbb::global_control control(tbb::global_control::max_allowed_parallelism, threads);
        const BakedBytes baked = bake_cells(mesh);
        return std::vector<std::uint8_t>(baked.bytes->data(), baked.bytes->data() + baked.bytes->size());
    };
    EXPECT_EQ(bytes(1), bytes(3));
}

TEST(CellBuild, ACancelledBuildIsEmpty) {
    Progress progress;
    progress.cancel();
    EXPECT_TRUE(build_cell_tree(corpus::find_corpus_mesh("torus")->make(), {}, progress).nodes.empty());
}

}  // namespace
}  // namespace espalier::test
