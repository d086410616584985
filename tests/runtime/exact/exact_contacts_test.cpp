// SPDX-License-Identifier: GPL-3.0-or-later
// First contact and all contacts on aabb and box trees, with every overlap test: the very pairs of triangles
// that CGAL's exact predicates find on the same placed doubles, at 100,000 placements.
#include <gtest/gtest.h>

#include "espalier/collide.h"
#include "espalier/contacts.h"
#include "tests/runtime/exact/models.h"
#include "tests/runtime/pair/query_answers.h"

namespace espalier::testing {
namespace {

constexpr std::uint64_t kSeed = 52;

/// The contacts of a pose by exact predicates, and whether queries tell the same.
struct Judge {
    const ShapeView &a, &b;
    const Pose& pose;
    BruteForce placed{a, b, pose};
    std::vector<TrianglePair> expected = placed.exact_contacts();

    template <class Contacts, class Collide, class... Options>
    void expect_same(Options... options) const {
        ASSERT_EQ((pairs_found<Contacts>(a, b, pose, options...)), expected);
        expect_contact_of<Collide>(a, b, pose, placed, expected, options...);
    }

    template <Overlap kOverlap>
    void expect_aabb() const {
        expect_same<Contacts<AabbTreeView, kOverlap>, Collide<AabbTreeView, kOverlap>>();
    }
    template <Overlap kOverlap>
    void expect_box() const {
        expect_same<Contacts<BoxTreeView, kOverlap>, Collide<BoxTreeView, kOverlap>>();
    }
};

TEST(ExactContacts, HundredThousandPosesOnAabbAndBoxTrees) {
    const ExactModels models(100);
    std::uint64_t poses = 0, colliding = 0, pairs = 0;
    for_exact_poses(models, kSeed, 1.0, [&](const ShapeView& a, const ShapeView& b, const Pose& pose) {
        const Judge judge{a, b, pose};
        ++poses;
        colliding += !judge.expected.empty();
        pairs += judge.expected.size();
        ASSERT_NO_FATAL_FAILURE(judge.expect_aabb<Overlap::kSatLite>()) << "aabb, satlite";
        ASSERT_NO_FATAL_FAILURE(judge.expect_aabb<Overlap::kSat>()) << "aabb, sat";
        ASSERT_NO_FATAL_FAILURE(judge.expect_box<Overlap::kAxis>()) << "box, axis";
        ASSERT_NO_FATAL_FAILURE(judge.expect_box<Overlap::kTable>()) << "box, table";
        ASSERT_NO_FATAL_FAILURE(judge.expect_box<Overlap::kSat>()) << "box, sat";
        ASSERT_NO_FATAL_FAILURE(judge.expect_box<Overlap::kSatLite>()) << "box, satlite";
    });
    // Both answers must be common, or the test would show little.
    EXPECT_GT(colliding, poses / 4);
    EXPECT_LT(colliding, poses * 3 / 4);
    std::printf("  %zu models, %llu poses, %llu colliding, %llu pairs of triangles\n",
                models.small.size() + models.large.size(), static_cast<unsigned long long>(poses),
                static_cast<unsigned long long>(colliding), static_cast<unsigned long long>(pairs));
}

}  // namespace
}  // namespace espalier::testing
