// SPDX-License-Identifier: GPL-3.0-or-later
// First and all contacts of bodies at random configurations of random joint trees, against brute force over
// the triangles of all parts by CGAL's exact predicates: no miss, and no false hit of any depth.
#include "espalier/body_contacts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <tuple>

#include "tests/support/effort.h"
#include "tests/support/exact.h"
#include "tests/support/random_body.h"

namespace espalier::testing {
namespace {

/// Part of A, part of B, triangle of A, triangle of B.
using Touch = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;

std::vector<Touch> exact_touches(const std::vector<PlacedPair>& pairs) {
    std::vector<Touch> touches;
    for (const PlacedPair& pair : pairs) {
        if (surely_beyond(pair, 0)) continue;
        for (const auto& [a, b] : BruteForce(pair.view_a, pair.view_b, pair.pose).exact_contacts())
            touches.emplace_back(pair.a, pair.b, a, b);
    }
    std::sort(touches.begin(), touches.end());
    return touches;
}

struct Answer {
    Verdict verdict = Verdict::kUnresolved;
    std::vector<Touch> touches;
};

/// The two bodies, or one (`b` is null), in steps of drawn budgets.
template <class Tree>
Answer all_contacts(const HandBody& a, const HandBody* b, const Pose& pose, Draw& draw) {
    static BodyContacts<Tree> query;
    static BodyContact buffer[16384];
    Answer answer;
    const Status status = b ? query.begin(a.body(), b->body(), pose, buffer, std::size(buffer))
                            : query.begin_self(a.body(), buffer, std::size(buffer));
    EXPECT_EQ(status, Status::kOk);
    Budget budget;
    do budget.node_tests = draw.below(2000);
    while ((answer.verdict = query.step(budget)) == Verdict::kUnresolved);
    EXPECT_LE(query.count(), std::size(buffer));
    for (std::uint64_t i = 0; i < query.count(); ++i)
        answer.touches.emplace_back(buffer[i].part_a, buffer[i].part_b, buffer[i].found.triangle_a,
                                    buffer[i].found.triangle_b);
    std::sort(answer.touches.begin(), answer.touches.end());
    return answer;
}

/// What is wrong with an answer, or nothing.
template <class Tree>
void expect_touches(const HandBody& a, const HandBody* b, const Pose& pose, const std::vector<Touch>& truth,
                    Draw& draw) {
    const Answer all = all_contacts<Tree>(a, b, pose, draw);
    EXPECT_EQ(all.verdict, truth.empty() ? Verdict::kDisjoint : Verdict::kColliding);
    EXPECT_EQ(all.touches, truth);
    static BodyCollide<Tree> query;
    BodyCue cue;
    cue.cue.valid = draw.coin();
    cue.part_a = static_cast<std::uint32_t>(draw.below(12));
    cue.part_b = static_cast<std::uint32_t>(draw.below(12));
    for (int repeat = 0; repeat < 2; ++repeat) {
        ASSERT_EQ(b ? query.begin(a.body(), b->body(), pose, &cue) : query.begin_self(a.body(), &cue),
                  Status::kOk);
        ASSERT_EQ(query.step(), truth.empty() ? Verdict::kDisjoint : Verdict::kColliding);
        if (truth.empty()) continue;
        const bool known = std::any_of(truth.begin(), truth.end(), [&](const Touch& touch) {
            return std::get<0>(touch) == query.contact().part_a &&
                   std::get<1>(touch) == query.contact().part_b;
        });
        EXPECT_TRUE(known) << "parts " << query.contact().part_a << " and " << query.contact().part_b;
    }
}

/// The point of a contact lies on both triangles, in the frame of body A.
void expect_contact_in_frame(const HandBody& a, const HandBody& b, const Pose& pose) {
    static BodyCollide<AabbTreeView> query;
    ASSERT_EQ(query.begin(a.body(), b.body(), pose), Status::kOk);
    if (query.step() != Verdict::kColliding) return;
    const BodyContact& contact = query.contact();
    const Eigen::Vector3d point(contact.found.point);
    const auto gap = [&](const HandBody& body, std::uint32_t part, std::uint32_t triangle,
                         const Eigen::Isometry3d& to_a) {
        ShapeView view;
        EXPECT_EQ(body.asset().part(part, &view), Status::kOk);
        Triangle3 placed;
        for (std::uint32_t c = 0; c < 3; ++c) {
            const float* corner = view.mesh.corner(triangle, c);
            const Eigen::Vector3d local =
                Eigen::Vector3f(corner).cast<double>() + Eigen::Vector3d(view.origin);
            Eigen::Map<Eigen::Vector3d>(placed.p[c]) = to_a * isometry(body.poses()[part]) * local;
        }
        return point_gap(placed, point.data());
    };
    EXPECT_LT(gap(a, contact.part_a, contact.found.triangle_a, Eigen::Isometry3d::Identity()), 1e-9);
    EXPECT_LT(gap(b, contact.part_b, contact.found.triangle_b, isometry(pose)), 1e-9);
    EXPECT_NEAR(Eigen::Vector3d(contact.found.normal).norm(), 1, 1e-9);
}

/// Body A against one part of B alone.
void expect_touches_of_part(const HandBody& a, const HandBody& b, const Pose& pose,
                            const std::vector<Touch>& truth, Draw& draw) {
    const auto part = static_cast<std::uint32_t>(draw.below(b.poses().size()));
    ShapeView view;
    if (b.body().shape(part, &view) != Status::kOk) return;
    static BodyMemory memory(Body::kPartMemory);
    Body one;
    ASSERT_EQ(one.begin_part(view, memory.data(), memory.size()), Status::kOk);
    const Pose place = pose_of(isometry(pose) * isometry(b.poses()[part]));
    const bool touches =
        std::any_of(truth.begin(), truth.end(), [&](const Touch& t) { return std::get<1>(t) == part; });
    static BodyCollide<AabbTreeView> query;
    ASSERT_EQ(query.begin(a.body(), one, place), Status::kOk);
    ASSERT_EQ(query.step(), touches ? Verdict::kColliding : Verdict::kDisjoint);
    ASSERT_EQ(query.begin(one, a.body(), pose_of(isometry(place).inverse())), Status::kOk);
    ASSERT_EQ(query.step(), touches ? Verdict::kColliding : Verdict::kDisjoint);
}

TEST(BodyContactsTest, AreThoseOfAllPartsByBruteForce) {
    std::uint64_t between_touch = 0, within_touch = 0, count = 0;
    at_configurations(11, effort(10000, 60), [&](HandBody& a, HandBody& b, const Pose& pose, Draw& draw) {
        const std::vector<Touch> between = exact_touches(pairs_between(a, b, pose));
        ASSERT_NO_FATAL_FAILURE(expect_touches<AabbTreeView>(a, &b, pose, between, draw));
        ASSERT_NO_FATAL_FAILURE(expect_touches<BoxTreeView>(a, &b, pose, between, draw));
        ASSERT_NO_FATAL_FAILURE(expect_touches<CellTreeView>(a, &b, pose, between, draw));
        ASSERT_NO_FATAL_FAILURE(expect_touches_of_part(a, b, pose, between, draw));
        ASSERT_NO_FATAL_FAILURE(expect_contact_in_frame(a, b, pose));
        const std::vector<Touch> within = exact_touches(pairs_within(a));
        ASSERT_NO_FATAL_FAILURE(expect_touches<AabbTreeView>(a, nullptr, Pose(), within, draw));
        ASSERT_NO_FATAL_FAILURE(expect_touches<BoxTreeView>(a, nullptr, Pose(), within, draw));
        ASSERT_NO_FATAL_FAILURE(expect_touches<CellTreeView>(a, nullptr, Pose(), within, draw));
        between_touch += between.empty() ? 0 : 1;
        within_touch += within.empty() ? 0 : 1;
        ++count;
    });
    expect_dense("two bodies", between_touch, count);
    expect_dense("one body with itself", within_touch, count);
}

}  // namespace
}  // namespace espalier::testing
