// SPDX-License-Identifier: GPL-3.0-or-later
// A copy of a query that is half done goes on by itself: both end with the same answer after the same work,
// also when the first object has been used for something else in between.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "builder/sphere/row.h"
#include "corpus/torus.h"
#include "espalier/cell_walk.h"
#include "espalier/collide.h"
#include "espalier/contacts.h"
#include "espalier/distance.h"
#include "espalier/point.h"
#include "espalier/ray_cast.h"
#include "espalier/sphere_query.h"
#include "tests/support/cell_fixture.h"

namespace espalier::test {
namespace {

constexpr std::size_t kRoom = 4096;

BakedBytes bake_all_trees() {
    AssetContents contents;
    BakedShape& part = contents.shapes.emplace_back();
    part.mesh = corpus::make_torus({1.0, 0.4, 24, 12});
    part.closed = true;
    Progress progress;
    part.trees.push_back(built_tree(build_aabb_tree(part.mesh, AabbTreeOptions(), progress)));
    part.trees.push_back(built_tree(build_box_tree(part.mesh, BoxTreeOptions(), progress)));
    part.trees.push_back(built_tree(build_cell_tree(part.mesh, CellTreeOptions(), progress)));
    SphereTreeOptions spheres;
    spheres.method = SphereMethod::kOctree;
    part.trees.push_back(built_tree(build_sphere_tree(part.mesh, spheres, progress).value()));
    BakedBytes baked;
    baked.bytes = std::make_unique<AlignedBytes>(write_asset(contents).value());
    baked.open_bytes();
    return baked;
}

void expect_equal(const Counters& a, const Counters& b) {
    EXPECT_EQ(a.node_tests, b.node_tests);
    EXPECT_EQ(a.leaf_pairs, b.leaf_pairs);
    EXPECT_EQ(a.triangle_tests, b.triangle_tests);
    EXPECT_EQ(a.exact_tests, b.exact_tests);
}

/// Steps `query` a little, copies it, spoils the original's bytes, and runs the copy of the copy and a query
/// that was never stopped to their ends. `begin(query)` starts one, `answer(query)` is compared.
template <class Query, class Begin, class Answer>
void expect_copies_go_on(Begin begin, Answer answer, std::uint64_t first_tests) {
    const auto whole = std::make_unique<Query>(), original = std::make_unique<Query>();
    begin(*whole);
    whole->step();
    begin(*original);
    Budget little;
    little.node_tests = first_tests;
    original->step(little);
    ASSERT_LT(original->counters().node_tests, whole->counters().node_tests) << "not half done";
    const auto copy = std::make_unique<Query>(*original);
    original->step();
    EXPECT_EQ(answer(*original), answer(*whole));
    expect_equal(original->counters(), whole->counters());
    std::memset(static_cast<void*>(original.get()), 0xff, sizeof(Query));
    const auto assigned = std::make_unique<Query>();  // elsewhere than the original
    *assigned = *copy;
    std::memset(static_cast<void*>(copy.get()), 0xff, sizeof(Query));
    assigned->step();
    EXPECT_EQ(answer(*assigned), answer(*whole));
    expect_equal(assigned->counters(), whole->counters());
}

class QueryCopies : public ::testing::Test {
  protected:
    static void SetUpTestSuite() { baked_ = new BakedBytes(bake_all_trees()); }
    static void TearDownTestSuite() { delete baked_; }

    static const ShapeView& part() { return baked_->part; }
    static Pose apart() {
        Pose pose;
        pose.rotation[1] = 0.4;
        pose.rotation[3] = -0.3;
        for (int k = 0; k < 3; ++k) pose.translation[k] = 0.9 * double(part().hi[k] - part().lo[k]);
        return pose;
    }
    static Pose together() {
        Pose pose = apart();
        for (double& t : pose.translation) t *= 0.3;
        return pose;
    }

    template <class Tree, Overlap kOverlap>
    static void expect_contacts_go_on() {
        expect_copies_go_on<Collide<Tree, kOverlap>>(
            [](auto& query) { ASSERT_EQ(query.begin(part(), part(), together()), Status::kOk); },
            [](const auto& query) {
                EXPECT_EQ(query.verdict(), Verdict::kColliding);
                return query.contact().point[0];
            },
            5);
        static Contact room[kRoom];
        expect_copies_go_on<Contacts<Tree, kOverlap>>(
            [](auto& query) { ASSERT_EQ(query.begin(part(), part(), together(), room, kRoom), Status::kOk); },
            [](const auto& query) { return query.count(); }, 100);
    }

    template <class Tree>
    static void expect_distances_go_on() {
        expect_copies_go_on<Distance<Tree>>(
            [](auto& query) { ASSERT_EQ(query.begin(part(), part(), apart()), Status::kOk); },
            [](const auto& query) {
                return std::tuple(query.done(), query.lower(), query.upper(), query.closest().triangle_a);
            },
            60);
    }

    template <class Tree>
    static void expect_rays_go_on() {
        expect_copies_go_on<RayCast<Tree>>(
            [](auto& query) {
                Ray ray;
                for (int k = 0; k < 3; ++k) {
                    ray.origin[k] = 2 * double(part().hi[k]);
                    ray.direction[k] = -ray.origin[k] + 0.2 * double(part().hi[k]) * k;
                }
                ASSERT_EQ(query.begin(part(), ray), Status::kOk);
            },
            [](const auto& query) { return std::tuple(query.verdict(), query.counters().exact_tests); }, 5);
    }

  private:
    static BakedBytes* baked_;
};

BakedBytes* QueryCopies::baked_ = nullptr;

TEST_F(QueryCopies, ContactsOnAabbTrees) {
    expect_contacts_go_on<AabbTreeView, Overlap::kSatLite>();
    expect_contacts_go_on<AabbTreeView, Overlap::kSat>();
}

TEST_F(QueryCopies, ContactsOnBoxTrees) {
    expect_contacts_go_on<BoxTreeView, Overlap::kAxis>();
    expect_contacts_go_on<BoxTreeView, Overlap::kTable>();
    expect_contacts_go_on<BoxTreeView, Overlap::kSat>();
    expect_contacts_go_on<BoxTreeView, Overlap::kSatLite>();
}

TEST_F(QueryCopies, ContactsOnCellTrees) {
    expect_contacts_go_on<CellTreeView, Overlap::kClip>();
    expect_contacts_go_on<CellTreeView, Overlap::kAxis>();
    expect_contacts_go_on<CellTreeView, Overlap::kSat>();
    expect_contacts_go_on<CellTreeView, Overlap::kSatLite>();
}

TEST_F(QueryCopies, Distances) {
    expect_distances_go_on<AabbTreeView>();
    expect_distances_go_on<BoxTreeView>();
    expect_distances_go_on<CellTreeView>();
}

TEST_F(QueryCopies, RayCasts) {
    expect_rays_go_on<AabbTreeView>();
    expect_rays_go_on<BoxTreeView>();
}

TEST_F(QueryCopies, WitnessesOfCellTrees) {
    static CellWitness room[kRoom];
    expect_copies_go_on<CellWitnesses<>>(
        [](auto& query) { ASSERT_EQ(query.begin(part(), part(), together(), room, kRoom), Status::kOk); },
        [](const auto& query) { return query.count(); }, 100);
}

/// A walk whose operation counts the pairs of leaves.
struct CountingWalk {
    CellWalk<> walk;
    std::uint64_t pairs = 0;

    Verdict step(const Budget& budget = Budget()) {
        return walk.step(
            [this](const CellPair&) {
                ++pairs;
                return false;
            },
            budget);
    }
    const Counters& counters() const { return walk.counters(); }
};

TEST_F(QueryCopies, WalksOfCellTrees) {
    expect_copies_go_on<CountingWalk>(
        [](auto& query) { ASSERT_EQ(query.walk.begin(part(), part(), together()), Status::kOk); },
        [](const auto& query) { return query.pairs; }, 100);
}

/// The bounds of a sphere query and the front that they come from.
template <class Query>
auto bounds_of(const Query& query) {
    return std::tuple(query.done(), query.lower(), query.upper(), query.open_pairs(),
                      query.contacts(nullptr, 0));
}

TEST_F(QueryCopies, SphereQueriesInEveryOrder) {
    for (const SphereOrder order :
         {SphereOrder::kLevel, SphereOrder::kBestFirst, SphereOrder::kWidestFirst}) {
        SphereQueryOptions options;
        options.order = order;
        for (const Pose& pose : {apart(), together()})
            expect_copies_go_on<SphereQuery<>>(
                [&](auto& query) { ASSERT_EQ(query.begin(part(), part(), pose, options), Status::kOk); },
                [](const auto& query) { return bounds_of(query); }, 40);
    }
}

TEST_F(QueryCopies, SphereQueriesWithAFullFront) {
    expect_copies_go_on<SphereQuery<20>>(
        [](auto& query) { ASSERT_EQ(query.begin(part(), part(), apart()), Status::kOk); },
        [](const auto& query) { return bounds_of(query); }, 100);
}

TEST_F(QueryCopies, CopiesOfASphereQueryAdvanceApart) {
    SphereQueryOptions options;
    options.goal.within = 10 * double(part().hi[0]);
    options.skin = 0.1;
    const auto original = std::make_unique<SphereQuery<>>(), other = std::make_unique<SphereQuery<>>();
    for (const auto& query : {original.get(), other.get()}) {
        ASSERT_EQ(query->begin(part(), part(), apart(), options), Status::kOk);
        Budget little;
        little.node_tests = 60;
        query->step(little);
    }
    Pose moved = apart();
    moved.translation[1] += 0.02;
    const auto copy = std::make_unique<SphereQuery<>>(*original);
    // The original goes its own way, which must not show in the copy.
    ASSERT_EQ(original->begin(part(), part(), together()), Status::kOk);
    original->step();
    for (const auto& query : {copy.get(), other.get()}) {
        ASSERT_EQ(query->advance(moved), Status::kOk);
        query->step();
    }
    EXPECT_EQ(bounds_of(*copy), bounds_of(*other));
    expect_equal(copy->counters(), other->counters());
}

TEST_F(QueryCopies, PointsAndAPart) {
    const double point[3] = {0.1, 0.2, 0.05};
    expect_copies_go_on<ClosestPointQuery>(
        [&](auto& query) { ASSERT_EQ(query.begin(part(), point), Status::kOk); },
        [](const auto& query) { return query.closest().distance; }, 8);
    const double centre[3] = {double(part().hi[0]) * 0.8, 0.01, 0.02};
    expect_copies_go_on<InsideQuery>(
        [&](auto& query) { ASSERT_EQ(query.begin(part(), centre), Status::kOk); },
        [](const auto& query) { return query.verdict(); }, 1);
}

}  // namespace
}  // namespace espalier::test
