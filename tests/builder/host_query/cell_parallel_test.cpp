// SPDX-License-Identifier: GPL-3.0-or-later
// The queries for hosts with many cores give what the runtime's give, for any number of threads.
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "builder/host_query/parallel_query.h"
#include "espalier/cell_walk.h"
#include "espalier/collide.h"
#include "espalier/contacts.h"
#include "espalier/distance.h"
#include "tests/support/cell_fixture.h"

namespace espalier::test {
namespace {

std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t> key(const CellWitness& w) {
    return {w.edge_side, w.edge_triangle, w.edge_corner, w.triangle};
}

void expect_same(const ShapeView& a, const ShapeView& b, const Pose& pose, const std::string& what) {
    Collide<CellTreeView> collide;
    ASSERT_EQ(collide.begin(a, b, pose), Status::kOk);
    Verdict verdict = Verdict::kUnresolved;
    CellWitness witness[2];
    {
        const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
        ASSERT_EQ(parallel_cell_collide(a, b, pose, &verdict, &witness[0]), Status::kOk);
    }
    EXPECT_EQ(verdict, collide.step()) << what;
    ASSERT_EQ(parallel_cell_collide(a, b, pose, &verdict, &witness[1]), Status::kOk);
    EXPECT_EQ(verdict, collide.verdict()) << what;
    EXPECT_EQ(key(witness[0]), key(witness[1])) << what;

    std::vector<Contact> contacts, expected_contacts(30000);
    Contacts<CellTreeView> all;
    ASSERT_EQ(all.begin(a, b, pose, expected_contacts.data(), expected_contacts.size()), Status::kOk);
    all.step();
    ASSERT_EQ(all.status(), Status::kOk);
    ASSERT_EQ(parallel_cell_contacts(a, b, pose, &contacts), Status::kOk);
    EXPECT_EQ(contacts.size(), all.count()) << what;

    std::vector<CellWitness> witnesses, expected(30000);
    CellWitnesses<> each;
    ASSERT_EQ(each.begin(a, b, pose, expected.data(), expected.size()), Status::kOk);
    each.step();
    ASSERT_EQ(each.status(), Status::kOk);
    expected.resize(each.count());
    std::sort(expected.begin(), expected.end(),
              [](const CellWitness& x, const CellWitness& y) { return key(x) < key(y); });
    ASSERT_EQ(parallel_cell_witnesses(a, b, pose, &witnesses), Status::kOk);
    ASSERT_EQ(witnesses.size(), expected.size()) << what;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(key(witnesses[i]), key(expected[i])) << what;
        EXPECT_EQ(witnesses[i].point[0], expected[i].point[0]) << what;
    }

    Distance<CellTreeView> distance;
    ASSERT_EQ(distance.begin(a, b, pose), Status::kOk);
    distance.step();
    ClosestPair closest;
    ASSERT_EQ(parallel_cell_distance(a, b, pose, &closest), Status::kOk);
    EXPECT_EQ(closest.distance, distance.upper()) << what;
}

TEST(CellParallel, QueriesGiveWhatOneThreadGives) {
    Draws draws(71);
    for (const char* name : {"torus", "tetra-flake", "gear", "desk-lamp"}) {
        const BakedBytes a = bake_cells(corpus::find_corpus_mesh(name)->make_near(3000));
        const BakedBytes b = bake_cells(corpus::find_corpus_mesh("torus")->make_near(800));
        for (int i = 0; i < 8; ++i)
            expect_same(a.part, b.part, draws.pose(0.7 * diagonal(a.part)), name + std::to_string(i));
    }
}

TEST(CellParallel, ATreeOfOneLeafIsOneTask) {
    TriangleMesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    mesh.triangles = {{0, 1, 2}};
    const BakedBytes one = bake_cells(mesh);
    Pose pose;
    pose.rotation[1] = 0.5;
    expect_same(one.part, one.part, pose, "one");
}

TEST(CellParallel, PartsWithoutATreeAreRefused) {
    const BakedBytes baked = bake_cells(corpus::find_corpus_mesh("box")->make());
    ShapeView bare = baked.part;
    bare.cell = CellTreeView();
    Verdict verdict;
    CellWitness witness;
    ClosestPair closest;
    std::vector<Contact> contacts;
    EXPECT_EQ(parallel_cell_collide(baked.part, bare, Pose(), &verdict, &witness), Status::kNoTree);
    EXPECT_EQ(parallel_cell_contacts(bare, baked.part, Pose(), &contacts), Status::kNoTree);
    EXPECT_EQ(parallel_cell_distance(bare, baked.part, Pose(), &closest), Status::kNoTree);
}

}  // namespace
}  // namespace espalier::test
