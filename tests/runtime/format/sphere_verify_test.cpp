// SPDX-License-Identifier: GPL-3.0-or-later
// Full verification of sphere trees: one flaw at a time is refused, and what is merely unusual is not.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "builder/surface/connected_pieces.h"
#include "tests/support/baked_mesh.h"
#include "tests/support/meshes.h"
#include "tests/support/sphere_asset.h"

namespace espalier::testing {
namespace {

using Change = std::function<void(HandSphereTree&)>;

Status opened(const HandSphereOptions& options) {
    static const TriangleMesh mesh = ten_small_meshes(60)[1].mesh;
    const ExactBytes copy(sphere_asset(mesh, options));
    Asset asset;
    return open(copy.data(), copy.size(), Verify::kFull, &asset);
}

Status changed(bool dag, const Change& change) {
    HandSphereOptions options;
    options.levels = 3;
    options.dag = dag;
    options.change = change;
    return opened(options);
}

struct Flaw {
    const char* name;
    Status expected;
    Change change;
};

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinite = std::numeric_limits<float>::infinity();

std::uint32_t inner(const HandSphereTree& t) {
    return t.levels.back().first;
}

/// Flaws of trees and DAGs alike.
const std::vector<Flaw>& common_flaws() {
    static const std::vector<Flaw> all = {
        {"center not a number", Status::kCorruptTree, [](auto& t) { t.spheres[3].center[1] = kNan; }},
        {"center beyond the limit", Status::kCorruptTree, [](auto& t) { t.spheres[3].center[2] = -2e18F; }},
        {"radius negative", Status::kCorruptTree, [](auto& t) { t.spheres.back().radius = -1e-30F; }},
        {"radius infinite", Status::kCorruptTree, [](auto& t) { t.spheres.back().radius = kInfinite; }},
        {"gap negative", Status::kCorrupt, [](auto& t) { t.gap = -1e-30F; }},
        {"gap not a number", Status::kCorrupt, [](auto& t) { t.gap = kNan; }},
        {"filling infinite", Status::kCorrupt, [](auto& t) { t.filling = kInfinite; }},
        {"solid of no kind", Status::kCorrupt, [](auto& t) { t.solid = 3; }},
        {"error negative", Status::kCorruptTree, [](auto& t) { t.errors[1] = -1.0F; }},
        {"error not a number", Status::kCorruptTree, [](auto& t) { t.errors[0] = kNan; }},
        {"error missing", Status::kCorrupt, [](auto& t) { t.errors.pop_back(); }},
        {"statistics not finite", Status::kCorruptTree,
         [](auto& t) { t.levels[1].union_volume = std::numeric_limits<double>::infinity(); }},
        {"no level", Status::kCorrupt, [](auto& t) { t.levels.clear(); }},
        {"two roots", Status::kCorrupt,
         [](auto& t) {
             t.levels[0].count = 2;
             ++t.levels[1].first;
             --t.levels[1].count;
         }},
        {"gap between levels", Status::kCorrupt, [](auto& t) { ++t.levels[2].first; }},
        {"empty level", Status::kCorrupt,
         [](auto& t) {
             t.levels.push_back(t.levels.back());
             t.levels.back().first += t.levels.back().count;
             t.levels.back().count = 0;
         }},
        {"spheres beyond the levels", Status::kCorrupt, [](auto& t) { --t.levels[2].count; }},
        {"more in a level than there are", Status::kCorrupt,
         [](auto& t) { t.levels[2].count = 0xffffffffu; }},
        {"too many levels", Status::kTooDeep, [](auto& t) { t.levels.resize(17, t.levels.back()); }},
        {"end missing", Status::kCorrupt, [](auto& t) { t.child_ends.pop_back(); }},
        {"childless inner sphere", Status::kCorruptTree, [](auto& t) { t.child_ends[1] = t.child_ends[0]; }},
        {"ends fall", Status::kCorruptTree, [](auto& t) { std::swap(t.child_ends[1], t.child_ends[2]); }},
        {"last end too small", Status::kCorruptTree, [](auto& t) { --t.child_ends.back(); }},
        {"last end too large", Status::kCorruptTree, [](auto& t) { ++t.child_ends.back(); }},
        {"leaf end missing", Status::kCorrupt, [](auto& t) { t.leaf_ends.pop_back(); }},
        {"leaf ends fall", Status::kCorruptTree, [](auto& t) { t.leaf_ends[1] = t.leaf_ends[0] - 1; }},
        {"leaf ends beyond the list", Status::kCorruptTree, [](auto& t) { ++t.leaf_ends.back(); }},
        {"unused leaf entries", Status::kCorruptTree, [](auto& t) { t.leaf_triangles.push_back(0); }},
        {"triangle that does not exist", Status::kCorruptTree,
         [](auto& t) { t.leaf_triangles[5] = 0xffffffffu; }},
        {"shell inverted", Status::kCorruptTree, [](auto& t) { t.shells[0].hi[1] = t.shells[0].lo[1] - 1; }},
        {"shell not finite", Status::kCorruptTree, [](auto& t) { t.shells[0].lo[0] = -kInfinite; }},
        {"unknown coverage", Status::kCorrupt, [](auto& t) { t.coverage = 3; }},
    };
    return all;
}

TEST(SphereVerification, EveryFlawOfATreeIsRefused) {
    ASSERT_EQ(changed(false, nullptr), Status::kOk);
    for (const Flaw& flaw : common_flaws())
        EXPECT_EQ(changed(false, flaw.change), flaw.expected) << flaw.name;
    EXPECT_EQ(changed(false, [](auto& t) { t.child_ends[0] += 1; }), Status::kCorruptTree)
        << "a child of the root beyond its level";
}

TEST(SphereVerification, EveryFlawOfADagIsRefused) {
    ASSERT_EQ(changed(true, nullptr), Status::kOk);
    for (const Flaw& flaw : common_flaws()) EXPECT_EQ(changed(true, flaw.change), flaw.expected) << flaw.name;
    EXPECT_EQ(changed(true, [](auto& t) { t.child_list[0] = 0; }), Status::kCorruptTree) << "a cycle";
    EXPECT_EQ(changed(true, [](auto& t) { t.child_list[0] = inner(t); }), Status::kCorruptTree)
        << "a level skipped";
    EXPECT_EQ(changed(true, [](auto& t) { t.child_list.back() = 0xffffffffu; }), Status::kCorruptTree);
    EXPECT_EQ(changed(true, [](auto& t) { t.child_list.push_back(inner(t)); }), Status::kCorruptTree)
        << "unused entries";
}

Status sharing(const Change& change) {
    HandSphereOptions options;
    options.levels = 3;
    options.share = true;
    options.change = change;
    return opened(options);
}

TEST(SphereVerification, SharedChildrenOnTheNextLevelAreAccepted) {
    std::size_t shared = 0;
    EXPECT_EQ(sharing([&](auto& t) { shared = t.shared_list->size(); }), Status::kOk);
    EXPECT_GT(shared, 0u);
    EXPECT_EQ(sharing([](auto& t) {
                  t.shared_list->clear();
                  std::fill(t.shared_ends->begin(), t.shared_ends->end(), 0u);
              }),
              Status::kOk)
        << "lists in which nothing is shared";
    HandSphereOptions root_alone;
    root_alone.levels = 1;
    root_alone.share = true;
    EXPECT_EQ(opened(root_alone), Status::kOk);
}

TEST(SphereVerification, EveryFlawOfSharedChildrenIsRefused) {
    const std::vector<Flaw> flaws = {
        {"ends fall", Status::kCorruptTree, [](auto& t) { (*t.shared_ends)[1] = t.shared_ends->back() + 1; }},
        {"last end too small", Status::kCorruptTree, [](auto& t) { --t.shared_ends->back(); }},
        {"last end too large", Status::kCorruptTree, [](auto& t) { ++t.shared_ends->back(); }},
        {"end missing", Status::kCorrupt, [](auto& t) { t.shared_ends->pop_back(); }},
        {"an end too many", Status::kCorrupt,
         [](auto& t) { t.shared_ends->push_back(t.shared_ends->back()); }},
        {"unused entries", Status::kCorruptTree, [](auto& t) { t.shared_list->push_back(inner(t)); }},
        {"entry on the sphere's own level", Status::kCorruptTree,
         [](auto& t) { t.shared_list->front() = t.levels[1].first; }},
        {"entry that does not exist", Status::kCorruptTree,
         [](auto& t) { t.shared_list->back() = static_cast<std::uint32_t>(t.spheres.size()); }},
        {"level skipped", Status::kCorruptTree,
         [](auto& t) {
             for (std::uint32_t& end : *t.shared_ends) ++end;  // one more entry, and it is the root's
             t.shared_list->insert(t.shared_list->begin(), inner(t));
         }},
        {"ends without a list", Status::kCorrupt, [](auto& t) { t.shared_list.reset(); }},
        {"a list without ends", Status::kCorrupt, [](auto& t) { t.shared_ends.reset(); }},
    };
    for (const Flaw& flaw : flaws) EXPECT_EQ(sharing(flaw.change), flaw.expected) << flaw.name;
}

TEST(SphereVerification, SharedChildrenInADagAreRefused) {
    EXPECT_EQ(changed(true,
                      [](auto& t) {
                          t.shared_ends.emplace(inner(t), 0u);
                          t.shared_list.emplace();
                      }),
              Status::kCorrupt);
}

TEST(SphereVerification, SharedChildrenCountWhereAPartIsNamedTwice) {
    // All but the list fits the file twice, so the list decides.
    HandSphereOptions options;
    options.levels = 3;
    options.share = true;
    options.change = [](auto& t) {
        t.shared_list->insert(t.shared_list->end(), 100000, inner(t));
        t.shared_ends->back() += 100000;
    };
    EXPECT_EQ(opened(options), Status::kOk);
    options.named = 2;
    EXPECT_EQ(opened(options), Status::kCorrupt);
}

TEST(SphereVerification, UnusualButSoundTreesAreAccepted) {
    for (const bool dag : {false, true}) {
        HandSphereOptions options;
        options.levels = 1;
        options.dag = dag;
        EXPECT_EQ(opened(options), Status::kOk) << "a root alone";
    }
    EXPECT_EQ(changed(false, [](auto& t) { t.spheres[4].radius = 0; }), Status::kOk);
    EXPECT_EQ(changed(false, [](auto& t) { t.shells.clear(); }), Status::kOk);
    EXPECT_EQ(changed(false,
                      [](auto& t) {
                          t.leaf_triangles.clear();
                          std::fill(t.leaf_ends.begin(), t.leaf_ends.end(), 0u);
                      }),
              Status::kOk)
        << "spheres without triangles, as those that cover an inside";
}

TEST(Shells, ConnectedPiecesHaveOneBoxEach) {
    TriangleMesh mesh;
    for (int piece = 0; piece < 3; ++piece)
        for (const Eigen::Vector3f& p : {Eigen::Vector3f(0, 0, 0), Eigen::Vector3f(1, 0, 0),
                                         Eigen::Vector3f(0, 1, 0), Eigen::Vector3f(0, 0, 2)})
            mesh.positions.push_back(p + Eigen::Vector3f(float(10 * piece), 0, 0));
    mesh.triangles = {{8, 9, 10}, {0, 1, 2}, {4, 5, 6}, {2, 1, 3}, {9, 10, 11}, {5, 6, 7}};
    const std::vector<StoredBox> shells = connected_pieces(mesh);
    ASSERT_EQ(shells.size(), 3u);
    EXPECT_EQ(shells[0].lo[0], 20.0F);
    EXPECT_EQ(shells[1].lo[0], 0.0F);
    EXPECT_EQ(shells[2].lo[0], 10.0F);
    for (const StoredBox& s : shells) {
        EXPECT_EQ(s.hi[0], s.lo[0] + 1);
        EXPECT_EQ(s.hi[2], 2.0F);
    }
    EXPECT_TRUE(connected_pieces(random_soup(3, 65)).empty()) << "too many pieces are not recorded";
    EXPECT_EQ(connected_pieces(random_soup(3, 64)).size(), 64u);
}

}  // namespace
}  // namespace espalier::testing
