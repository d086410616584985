// SPDX-License-Identifier: GPL-3.0-or-later
// Full verification of box trees: wrong shapes are refused, and whatever is accepted can be queried.
#include <gtest/gtest.h>

#include "espalier/contacts.h"
#include "tests/support/box_fixture.h"

namespace espalier::test {
namespace {

BakedBytes torus() {
    return bake_mesh(corpus::find_corpus_mesh("torus")->make_near(600), {BoxSplit::kBinned, 2});
}

/// The stored nodes, writable.
BoxNode* nodes_of(BakedBytes& baked) {
    const auto at = reinterpret_cast<const std::uint8_t*>(baked.part.box.nodes) - baked.bytes->data();
    return reinterpret_cast<BoxNode*>(baked.bytes->data() + at);
}

Status status_after(const std::function<void(BoxNode*, std::uint32_t)>& change) {
    BakedBytes baked = torus();
    change(nodes_of(baked), baked.part.box.leaf_count - 1);
    baked.reseal();
    baked.open_bytes();
    return baked.status;
}

TEST(BoxFile, an_unchanged_tree_is_accepted) {
    EXPECT_EQ(status_after([](BoxNode*, std::uint32_t) {}), Status::kOk);
}

TEST(BoxFile, a_left_count_of_none_or_all_leaves_is_refused) {
    EXPECT_EQ(status_after([](BoxNode* nodes, std::uint32_t) { nodes[0].left = 0; }), Status::kCorruptTree);
    EXPECT_EQ(status_after([](BoxNode* nodes, std::uint32_t count) {
                  nodes[0].left = static_cast<std::uint16_t>(count + 1);
              }),
              Status::kCorruptTree);
    EXPECT_EQ(status_after([](BoxNode* nodes, std::uint32_t count) { nodes[count - 1].left = 2; }),
              Status::kCorruptTree);
}

TEST(BoxFile, a_chain_deeper_than_the_stored_depth_is_refused) {
    EXPECT_EQ(status_after([](BoxNode* nodes, std::uint32_t count) {
                  for (std::uint32_t i = 0; i < count; ++i) nodes[i].left = 1;
              }),
              Status::kCorruptTree);
}

TEST(BoxFile, random_nodes_are_refused_or_answer_every_query_in_bounds) {
    Draws draws(20260801);
    int accepted = 0;
    for (int round = 0; round < 400; ++round) {
        BakedBytes baked = torus();
        BoxNode* nodes = nodes_of(baked);
        const std::uint32_t count = baked.part.box.leaf_count - 1;
        for (int i = 0; i < 20; ++i) {
            BoxNode& node = nodes[draws.below(count)];
            node.cut[draws.below(6)] = static_cast<std::int8_t>(draws.below(256));
            if (round % 4 == 0 && i == 0) node.left = static_cast<std::uint16_t>(draws.below(4));
        }
        baked.reseal();
        baked.open_bytes();
        if (baked.status != Status::kOk) continue;
        ++accepted;
        Contacts<BoxTreeView> lite;
        Contacts<BoxTreeView, Overlap::kSat> sat;
        Contacts<BoxTreeView, Overlap::kTable> table;
        const Pose pose = draws.pose(0.5);
        ASSERT_EQ(lite.begin(baked.part, baked.part, pose, nullptr, 0), Status::kOk);
        ASSERT_EQ(sat.begin(baked.part, baked.part, pose, nullptr, 0), Status::kOk);
        ASSERT_EQ(table.begin(baked.part, baked.part, pose, nullptr, 0), Status::kOk);
        EXPECT_NE(lite.step(), Verdict::kUnresolved);
        EXPECT_NE(sat.step(), Verdict::kUnresolved);
        EXPECT_NE(table.step(), Verdict::kUnresolved);
    }
    EXPECT_GT(accepted, 200);
}

}  // namespace
}  // namespace espalier::test
