// SPDX-License-Identifier: GPL-3.0-or-later
// First contact and all contacts on box trees against brute force, for all overlap tests of Zachmann 2002.
// tests/runtime/exact has the plain placements.
#include <gtest/gtest.h>

#include "espalier/collide.h"
#include "espalier/contacts.h"
#include "tests/support/box_fixture.h"

namespace espalier::test {
namespace {

template <Overlap kOverlap>
std::uint64_t count_contacts(const ShapeView& a, const ShapeView& b, const Pose& pose) {
    Contacts<BoxTreeView, kOverlap> query;
    EXPECT_EQ(query.begin(a, b, pose, nullptr, 0), Status::kOk);
    const Verdict verdict = query.step();
    EXPECT_EQ(verdict, query.count() > 0 ? Verdict::kColliding : Verdict::kDisjoint);
    return query.count();
}

template <Overlap kOverlap>
bool collide(const ShapeView& a, const ShapeView& b, const Pose& pose) {
    Collide<BoxTreeView, kOverlap> query;
    EXPECT_EQ(query.begin(a, b, pose), Status::kOk);
    return query.step() == Verdict::kColliding;
}

template <Overlap kOverlap>
void expect_count(const ShapeView& a, const ShapeView& b, const Pose& pose, std::uint64_t expected,
                  const std::string& what) {
    EXPECT_EQ(count_contacts<kOverlap>(a, b, pose), expected) << what;
    EXPECT_EQ(collide<kOverlap>(a, b, pose), expected > 0) << what;
}

void expect_brute_answers(const ShapeView& a, const ShapeView& b, const Pose& pose, const std::string& what) {
    const std::uint64_t expected = brute_contacts(a, b, pose);
    expect_count<Overlap::kAxis>(a, b, pose, expected, what + " axis");
    expect_count<Overlap::kTable>(a, b, pose, expected, what + " table");
    expect_count<Overlap::kSat>(a, b, pose, expected, what + " sat");
    expect_count<Overlap::kSatLite>(a, b, pose, expected, what + " satlite");
}

class BoxQueryLeaf : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(BoxQueryLeaf, AllTestsAgreeWithBruteForceOnMeshesOfVeryDifferentSize) {
    Draws draws(12);
    const BakedBytes large =
        bake_mesh(corpus::find_corpus_mesh("gear")->make_near(900), {BoxSplit::kBinned, GetParam()});
    const BakedBytes small =
        bake_mesh(corpus::find_corpus_mesh("box")->make_near(100), {BoxSplit::kVolume, GetParam()});
    for (int i = 0; i < 30; ++i) {
        Pose pose = draws.pose(0.4 * diagonal(large.part));
        for (double& s : pose.scale) s = draws.between(0.02, 0.3);
        expect_brute_answers(large.part, small.part, pose, "large, small " + std::to_string(i));
        for (double& s : pose.scale) s = draws.between(1, 8);
        expect_brute_answers(small.part, large.part, pose, "small, large " + std::to_string(i));
    }
}

INSTANTIATE_TEST_SUITE_P(LeafTriangles, BoxQueryLeaf, ::testing::Values(1u, 3u, 4u, 8u));

TEST(BoxQuery, IdenticalPartsInPlaceTouchEverywhere) {
    const BakedBytes baked = bake_mesh(corpus::find_corpus_mesh("torus")->make_near(200), {});
    expect_brute_answers(baked.part, baked.part, Pose(), "identity");
}

TEST(BoxQuery, TouchingFacesCountAndASmallGapDoesNot) {
    const BakedBytes baked = bake_mesh(corpus::find_corpus_mesh("box")->make(), {BoxSplit::kBinned, 1});
    Pose pose;
    pose.translation[0] = 2;
    EXPECT_TRUE(collide<Overlap::kSatLite>(baked.part, baked.part, pose));
    pose.translation[0] = 2 + 1e-5;
    EXPECT_FALSE(collide<Overlap::kSatLite>(baked.part, baked.part, pose));
}

TEST(BoxQuery, BesideAnAabbTreeContactsAreTheSameTriangles) {
    const BakedBytes both = bake_mesh(corpus::find_corpus_mesh("gear")->make_near(600), {}, true);
    Draws draws(13);
    for (int i = 0; i < 20; ++i) {
        const Pose pose = draws.pose(0.4 * diagonal(both.part));
        std::vector<Contact> found[2] = {std::vector<Contact>(20000), std::vector<Contact>(20000)};
        Contacts<BoxTreeView> box;
        Contacts<AabbTreeView> aabb;
        ASSERT_EQ(box.begin(both.part, both.part, pose, found[0].data(), found[0].size()), Status::kOk);
        ASSERT_EQ(aabb.begin(both.part, both.part, pose, found[1].data(), found[1].size()), Status::kOk);
        box.step();
        aabb.step();
        ASSERT_EQ(box.count(), aabb.count());
        std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs[2];
        for (int q = 0; q < 2; ++q) {
            for (std::uint64_t c = 0; c < box.count(); ++c)
                pairs[q].emplace_back(found[q][c].triangle_a, found[q][c].triangle_b);
            std::sort(pairs[q].begin(), pairs[q].end());
        }
        EXPECT_EQ(pairs[0], pairs[1]);
    }
}

TEST(BoxQuery, AQueryInSmallStepsEndsAsOneInOneStep) {
    const BakedBytes baked = bake_mesh(corpus::find_corpus_mesh("torus")->make_near(2000), {});
    expect_small_steps_end_alike<Collide<BoxTreeView>>(
        baked.part, 14, 16, [](const Collide<BoxTreeView>& query) { return query.contact().triangle_a; });
}

TEST(BoxQuery, AFullBufferKeepsTheCountComplete) {
    const BakedBytes baked = bake_mesh(corpus::find_corpus_mesh("torus")->make_near(500), {});
    Contact three[3];
    Contacts<BoxTreeView> query;
    ASSERT_EQ(query.begin(baked.part, baked.part, Pose(), three, 3), Status::kOk);
    EXPECT_EQ(query.step(), Verdict::kColliding);
    EXPECT_EQ(query.status(), Status::kBufferFull);
    EXPECT_EQ(query.count(), brute_contacts(baked.part, baked.part, Pose()));
}

TEST(BoxQuery, ACueThatStillHoldsAnswersAtOnce) {
    const BakedBytes baked = bake_mesh(corpus::find_corpus_mesh("torus")->make(), {});
    Pose pose;
    pose.translation[0] = 0.7;
    Cue cue;
    Collide<BoxTreeView> query;
    ASSERT_EQ(query.begin(baked.part, baked.part, pose, &cue), Status::kOk);
    ASSERT_EQ(query.step(), Verdict::kColliding);
    ASSERT_TRUE(cue.valid);
    ASSERT_EQ(query.begin(baked.part, baked.part, pose, &cue), Status::kOk);
    EXPECT_EQ(query.verdict(), Verdict::kColliding);
    EXPECT_EQ(query.counters().node_tests, 0u);
}

TEST(BoxQuery, PartsWithoutABoxTreeAndBadPosesAreRefused) {
    const BakedBytes baked = bake_mesh(corpus::find_corpus_mesh("box")->make(), {});
    ShapeView bare = baked.part;
    bare.box = BoxTreeView();
    Collide<BoxTreeView> query;
    EXPECT_EQ(query.begin(bare, baked.part, Pose()), Status::kNoTree);
    EXPECT_EQ(query.step(), Verdict::kUnresolved);
    Pose zero;
    zero.rotation[0] = 0;
    EXPECT_EQ(query.begin(baked.part, baked.part, zero), Status::kInvalidArgument);
    Contacts<BoxTreeView> contacts;
    EXPECT_EQ(contacts.begin(baked.part, baked.part, Pose(), nullptr, 1), Status::kInvalidArgument);
    EXPECT_EQ(contacts.step(), Verdict::kUnresolved);
}

}  // namespace
}  // namespace espalier::test
