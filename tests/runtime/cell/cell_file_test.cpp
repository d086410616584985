// SPDX-License-Identifier: GPL-3.0-or-later
// Full verification of cell trees: wrong shapes are refused, and whatever is accepted can be queried.
#include <gtest/gtest.h>

#include <functional>

#include "builder/cell/row.h"
#include "espalier/cell_walk.h"
#include "espalier/collide.h"
#include "espalier/contacts.h"
#include "espalier/distance.h"
#include "espalier_generated.h"
#include "tests/support/cell_fixture.h"

namespace espalier::test {
namespace {

BakedBytes torus() {
    CellTreeOptions options;
    options.depth = 11;
    return bake_cells(corpus::find_corpus_mesh("torus")->make_near(600), options);
}

/// What is stored, writable.
struct Stored {
    CellNode* nodes;
    std::uint32_t* triangles;
    std::uint32_t* edges;
    CellTreeView view;

    explicit Stored(BakedBytes& baked) : view(baked.part.cell) {
        const auto writable = [&](const void* p) {
            return baked.bytes->data() + (static_cast<const std::uint8_t*>(p) - baked.bytes->data());
        };
        nodes = reinterpret_cast<CellNode*>(writable(view.nodes));
        triangles = reinterpret_cast<std::uint32_t*>(writable(view.triangles));
        edges = reinterpret_cast<std::uint32_t*>(writable(view.edges));
    }

    /// Unit of the first leaf.
    std::uint32_t first_leaf() const {
        CellRange range{0, view.unit_count};
        while (!range.leaf()) {
            const CellRange left = cell_child(view.nodes, range, 0);
            range = left.empty() ? cell_child(view.nodes, range, 1) : left;
        }
        return range.node;
    }
};

Status status_after(const std::function<void(const Stored&)>& change) {
    BakedBytes baked = torus();
    change(Stored(baked));
    baked.reseal();
    baked.open_bytes();
    return baked.status;
}

std::uint32_t with_left(const CellNode& node, std::uint32_t left) {
    return (node.second & 0xc0000000u) | left;
}

TEST(CellFile, AnUnchangedTreeIsAccepted) {
    EXPECT_EQ(status_after([](const Stored&) {}), Status::kOk);
}

TEST(CellFile, WrongCountsOfUnitsAreRefused) {
    for (const std::uint32_t left : {1u, 0x3fffffffu, 0x20000000u})
        EXPECT_EQ(status_after([&](const Stored& s) { s.nodes[0].second = with_left(s.nodes[0], left); }),
                  Status::kCorruptTree);
    EXPECT_EQ(status_after([](const Stored& s) {
                  s.nodes[0].second =
                      with_left(s.nodes[0], s.view.unit_count - 2);  // a lone unit on the right
              }),
              Status::kCorruptTree);
    EXPECT_EQ(
        status_after([](const Stored& s) { s.nodes[0].second = with_left(s.nodes[0], s.view.unit_count); }),
        Status::kCorruptTree);
}

TEST(CellFile, AFourthAxisAndACutThatIsNoNumberAreRefused) {
    EXPECT_EQ(status_after([](const Stored& s) { s.nodes[0].second |= 0xc0000000u; }), Status::kCorruptTree);
    for (const std::uint32_t bits : {0x7f800000u, 0xff800000u, 0x7fc00000u})
        EXPECT_EQ(status_after([&](const Stored& s) { s.nodes[0].first = bits; }), Status::kCorruptTree);
}

TEST(CellFile, ListsThatDoNotFollowEachOtherAreRefused) {
    const auto leaf_change = [](unsigned unit, bool count, std::uint32_t by) {
        return status_after([&](const Stored& s) {
            CellNode& node = s.nodes[s.first_leaf() + unit];
            (count ? node.second : node.first) += by;
        });
    };
    for (const unsigned unit : {0u, 1u})
        for (const bool count : {false, true})
            for (const std::uint32_t by : {1u, ~0u, 0x80000000u})
                EXPECT_EQ(leaf_change(unit, count, by), Status::kCorruptTree) << unit << count << by;
}

TEST(CellFile, EntriesBeyondTheMeshAreRefused) {
    EXPECT_EQ(status_after([](const Stored& s) { s.triangles[5] = 600; }), Status::kCorruptTree);
    EXPECT_EQ(status_after([](const Stored& s) { s.edges[5] = 1800; }), Status::kCorruptTree);
    EXPECT_EQ(status_after([](const Stored& s) { s.edges[5] = 1799; }), Status::kOk);
}

/// A file of `parts` parts of one triangle; the first one's tree lists it a hundred thousand times. `shared`:
/// all parts name that tree.
Status status_of_many(std::size_t parts, bool shared) {
    TriangleMesh one;
    one.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    one.triangles = {{0, 1, 2}};
    Progress progress;
    AssetContents contents;
    for (std::size_t i = 0; i < parts; ++i) {
        BakedShape& part = contents.shapes.emplace_back();
        part.mesh = one;
        CellTree tree = build_cell_tree(part.mesh, {}, progress);
        if (i == 0) {
            tree.triangles.assign(100000, 0);
            tree.nodes[0].second = 100000;
        }
        part.trees = {built_tree(std::move(tree))};
    }
    BakedBytes baked;
    baked.bytes = std::make_unique<AlignedBytes>(write_asset(contents).value());
    baked.open_bytes();
    EXPECT_EQ(baked.status, Status::kOk);
    const auto* stored = schema::GetAsset(baked.bytes->data())->shapes();
    const auto* tree = reinterpret_cast<const std::uint8_t*>(stored->Get(0)->cell_tree());
    for (std::uint32_t i = 1; shared && i < stored->size(); ++i) {
        const auto* table = reinterpret_cast<const flatbuffers::Table*>(stored->Get(i));
        const auto* field = reinterpret_cast<const std::uint8_t*>(table) +
                            table->GetOptionalFieldOffset(schema::Shape::VT_CELL_TREE);
        const auto offset =
            static_cast<std::uint32_t>(tree - field);  // the first part is written behind the others
        std::memcpy(baked.bytes->data() + (field - baked.bytes->data()), &offset, 4);
    }
    baked.reseal();
    baked.open_bytes();
    return baked.status;
}

TEST(CellFile, ATreeThatManyPartsNameIsRefusedBeforeItIsWalkedForEach) {
    EXPECT_EQ(status_of_many(50, false), Status::kOk);
    EXPECT_EQ(status_of_many(50, true), Status::kCorrupt);
    EXPECT_EQ(status_of_many(1, true), Status::kOk);
}

TEST(CellFile, RandomUnitsAndEntriesAreRefusedOrAnswerEveryQueryInBounds) {
    Draws draws(20261116);
    int accepted = 0;
    for (int round = 0; round < 300; ++round) {
        BakedBytes baked = torus();
        const Stored stored(baked);
        const auto any = [&](std::uint32_t count) { return static_cast<std::uint32_t>(draws.below(count)); };
        for (int i = 0; i < 10; ++i) {
            stored.triangles[any(stored.view.triangle_entries)] = any(600);
            stored.edges[any(stored.view.edge_entries)] = any(1800);
        }
        // Cuts of inner nodes, which the walk below finds; a wild one may also break a leaf.
        for (int i = 0; i < 5; ++i) {
            CellRange range{0, stored.view.unit_count};
            for (unsigned steps = any(6); steps > 0; --steps) {
                const CellRange child = cell_child(stored.nodes, range, any(2));
                if (child.units <= kCellLeafUnits) break;
                range = child;
            }
            const auto cut = static_cast<float>(draws.between(-3, 3));
            std::memcpy(&stored.nodes[range.node].first, &cut, 4);
            if (round % 4 == 0 && i == 4) stored.nodes[range.node].second ^= 1u << any(32);
        }
        baked.reseal();
        baked.open_bytes();
        if (baked.status != Status::kOk) continue;
        ++accepted;
        const Pose pose = draws.pose(0.5);
        CellWitnesses<> lite;
        Contacts<CellTreeView, Overlap::kSat> sat;
        Collide<CellTreeView, Overlap::kClip> clip;
        Distance<CellTreeView> distance;
        ASSERT_EQ(lite.begin(baked.part, baked.part, pose, nullptr, 0), Status::kOk);
        ASSERT_EQ(sat.begin(baked.part, baked.part, pose, nullptr, 0), Status::kOk);
        ASSERT_EQ(clip.begin(baked.part, baked.part, pose), Status::kOk);
        ASSERT_EQ(distance.begin(baked.part, baked.part, pose), Status::kOk);
        EXPECT_NE(lite.step(), Verdict::kUnresolved);
        EXPECT_NE(sat.step(), Verdict::kUnresolved);
        EXPECT_NE(clip.step(), Verdict::kUnresolved);
        distance.step();
        EXPECT_TRUE(distance.done());
    }
    EXPECT_GT(accepted, 150);
}

}  // namespace
}  // namespace espalier::test
