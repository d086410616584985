// SPDX-License-Identifier: GPL-3.0-or-later
// First witness, all witnesses and all contacts on cell trees against brute force, for all overlap tests.
#include <gtest/gtest.h>

#include <set>

#include "espalier/cell_walk.h"
#include "espalier/collide.h"
#include "espalier/contacts.h"
#include "tests/support/cell_fixture.h"
#include "tests/support/meshes.h"

namespace espalier::test {
namespace {

template <Overlap kOverlap>
bool collide(const ShapeView& a, const ShapeView& b, const Pose& pose) {
    Collide<CellTreeView, kOverlap> query;
    EXPECT_EQ(query.begin(a, b, pose), Status::kOk);
    const Verdict verdict = query.step();
    EXPECT_NE(verdict, Verdict::kUnresolved);
    return verdict == Verdict::kColliding;
}

template <class Query>
std::uint64_t count_all(const ShapeView& a, const ShapeView& b, const Pose& pose) {
    Query query;
    EXPECT_EQ(query.begin(a, b, pose, nullptr, 0), Status::kOk);
    const Verdict verdict = query.step();
    EXPECT_EQ(verdict, query.count() > 0 ? Verdict::kColliding : Verdict::kDisjoint);
    return query.count();
}

template <Overlap kOverlap>
void expect_counts(const ShapeView& a, const ShapeView& b, const Pose& pose, std::uint64_t contacts,
                   std::uint64_t witnesses, const std::string& what) {
    EXPECT_EQ(collide<kOverlap>(a, b, pose), contacts > 0) << what;
    EXPECT_EQ((count_all<Contacts<CellTreeView, kOverlap>>(a, b, pose)), contacts) << what;
    EXPECT_EQ(count_all<CellWitnesses<kOverlap>>(a, b, pose), witnesses) << what;
}

void expect_brute_answers(const ShapeView& a, const ShapeView& b, const Pose& pose, const std::string& what) {
    const std::uint64_t contacts = brute_contacts(a, b, pose), witnesses = brute_witnesses(a, b, pose);
    EXPECT_EQ(contacts > 0, witnesses > 0) << what;
    expect_counts<Overlap::kClip>(a, b, pose, contacts, witnesses, what + " clip");
    expect_counts<Overlap::kAxis>(a, b, pose, contacts, witnesses, what + " axis");
    expect_counts<Overlap::kSat>(a, b, pose, contacts, witnesses, what + " sat");
    expect_counts<Overlap::kSatLite>(a, b, pose, contacts, witnesses, what + " satlite");
}

TEST(CellQuery, AllTestsAgreeWithBruteForceOnRandomPosesOfTenMeshes) {
    constexpr std::uint64_t kSeed = 21;
    Draws draws(kSeed);
    std::vector<BakedBytes> baked;
    std::vector<std::string> names;
    for (const testing::NamedTriangles& mesh : testing::ten_small_meshes(220)) {
        baked.push_back(bake_cells(mesh.mesh));
        ASSERT_EQ(baked.back().status, Status::kOk) << mesh.name;
        names.push_back(mesh.name);
    }
    std::uint64_t hits = 0;
    for (std::size_t i = 0; i < baked.size(); ++i)
        for (int k = 0; k < 12; ++k) {
            const std::size_t j = k % 2 == 0 ? i : (i + 1) % baked.size();
            const Pose pose = draws.pose(0.35 * (diagonal(baked[i].part) + diagonal(baked[j].part)));
            expect_brute_answers(
                baked[i].part, baked[j].part, pose,
                names[i] + " " + names[j] + " pose " + std::to_string(k) + " seed " + std::to_string(kSeed));
            hits += collide<Overlap::kSatLite>(baked[i].part, baked[j].part, pose);
        }
    EXPECT_GT(hits, 20u);  // else the poses would prove little
    EXPECT_LT(hits, 110u);
}

TEST(CellQuery, EveryWayToBuildTheTreeGivesTheSameAnswers) {
    Draws draws(22);
    const TriangleMesh mesh = corpus::find_corpus_mesh("gear")->make_near(400);
    CellTreeOptions options[6];
    options[1].depth = 14;
    options[2].depth = 1;
    options[3].min_triangles = 20;
    options[3].gamma = 1;
    options[4].empty_share = 1;
    options[4].delta = 0;
    options[5].empty_share = 0.01;
    options[5].delta = 0.005;
    options[5].depth = 20;
    for (const CellTreeOptions& option : options) {
        const BakedBytes baked = bake_cells(mesh, option);
        for (int k = 0; k < 6; ++k)
            expect_brute_answers(baked.part, baked.part, draws.pose(0.4 * diagonal(baked.part)),
                                 "depth " + std::to_string(option.depth) + " pose " + std::to_string(k));
    }
}

TEST(CellQuery, ScaledAndMirroredPartsFarFromTheOriginAgreeWithBruteForce) {
    Draws draws(23);
    const Eigen::Vector3d origins[2] = {{100, -2000, 5}, {-7, 0, 3000}};
    const BakedBytes large = bake_cells(corpus::find_corpus_mesh("gear")->make_near(500), {}, origins[0]);
    const BakedBytes small = bake_cells(corpus::find_corpus_mesh("torus")->make_near(200), {}, origins[1]);
    for (int i = 0; i < 20; ++i) {
        Pose pose = draws.pose(0.4 * diagonal(large.part));
        for (double& s : pose.scale) s = draws.between(0.1, 1.5) * (draws.below(2) ? 1 : -1);
        PairFrame frame;
        Pose centred = pose;
        for (double& t : centred.translation) t = 0;
        ShapeView at_origin = large.part;
        for (double& x : at_origin.origin) x = 0;
        ASSERT_EQ(make_pair_frame(at_origin, small.part, centred, &frame), Status::kOk);
        for (int k = 0; k < 3; ++k) pose.translation[k] += origins[0][k] - frame.shift[k];
        expect_brute_answers(large.part, small.part, pose, "pose " + std::to_string(i));
    }
}

TEST(CellQuery, IdenticalPartsInPlaceTouchEverywhere) {
    const BakedBytes baked = bake_cells(corpus::find_corpus_mesh("torus")->make_near(200));
    expect_brute_answers(baked.part, baked.part, Pose(), "identity");
    const BakedBytes box = bake_cells(corpus::find_corpus_mesh("box")->make_near(100));
    expect_brute_answers(box.part, box.part, Pose(), "box identity");
}

TEST(CellQuery, TouchingFacesCountAndASmallGapDoesNot) {
    const BakedBytes baked = bake_cells(corpus::find_corpus_mesh("box")->make());
    Pose pose;
    pose.translation[0] = 2;
    EXPECT_TRUE(collide<Overlap::kSatLite>(baked.part, baked.part, pose));
    EXPECT_TRUE(collide<Overlap::kClip>(baked.part, baked.part, pose));
    pose.translation[0] = 2 + 1e-5;
    EXPECT_FALSE(collide<Overlap::kSatLite>(baked.part, baked.part, pose));
    EXPECT_FALSE(collide<Overlap::kClip>(baked.part, baked.part, pose));
}

TEST(CellQuery, WitnessesAreDistinctAndAFullBufferKeepsTheCountComplete) {
    const BakedBytes baked = bake_cells(corpus::find_corpus_mesh("torus")->make_near(500));
    Pose pose;
    pose.translation[0] = 0.3;
    std::vector<CellWitness> found(100000);
    CellWitnesses<> query;
    ASSERT_EQ(query.begin(baked.part, baked.part, pose, found.data(), found.size()), Status::kOk);
    ASSERT_EQ(query.step(), Verdict::kColliding);
    ASSERT_EQ(query.status(), Status::kOk);
    std::set<std::array<std::uint32_t, 4>> distinct;
    for (std::uint64_t i = 0; i < query.count(); ++i)
        distinct.insert(
            {found[i].edge_side, found[i].edge_triangle, found[i].edge_corner, found[i].triangle});
    EXPECT_EQ(distinct.size(), query.count());
    CellWitness three[3];
    CellWitnesses<> full;
    ASSERT_EQ(full.begin(baked.part, baked.part, pose, three, 3), Status::kOk);
    EXPECT_EQ(full.step(), Verdict::kColliding);
    EXPECT_EQ(full.status(), Status::kBufferFull);
    EXPECT_EQ(full.count(), query.count());
}

TEST(CellQuery, AQueryInSmallStepsEndsAsOneInOneStep) {
    const BakedBytes baked = bake_cells(corpus::find_corpus_mesh("torus")->make_near(2000));
    expect_small_steps_end_alike<Collide<CellTreeView>>(
        baked.part, 24, 4, [](const Collide<CellTreeView>& query) { return query.contact().triangle; });
}

TEST(CellQuery, PartsWithoutACellTreeAndBadArgumentsAreRefused) {
    const BakedBytes baked = bake_cells(corpus::find_corpus_mesh("box")->make());
    ShapeView bare = baked.part;
    bare.cell = CellTreeView();
    Collide<CellTreeView> query;
    EXPECT_EQ(query.begin(bare, baked.part, Pose()), Status::kNoTree);
    EXPECT_EQ(query.step(), Verdict::kUnresolved);
    Pose zero;
    zero.rotation[0] = 0;
    EXPECT_EQ(query.begin(baked.part, baked.part, zero), Status::kInvalidArgument);
    Contacts<CellTreeView> contacts;
    EXPECT_EQ(contacts.begin(baked.part, baked.part, Pose(), nullptr, 1), Status::kInvalidArgument);
    EXPECT_EQ(contacts.step(), Verdict::kUnresolved);
    CellWalk<> walk;
    const auto nothing = [](const CellPair&) { return true; };
    for (const double reach : {-1.0, double(INFINITY), double(NAN)}) {
        EXPECT_EQ(walk.begin(baked.part, baked.part, Pose(), reach), Status::kInvalidArgument);
        EXPECT_EQ(walk.step(nothing), Verdict::kUnresolved);
    }
}

}  // namespace
}  // namespace espalier::test
