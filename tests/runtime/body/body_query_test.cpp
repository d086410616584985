// SPDX-License-Identifier: GPL-3.0-or-later
// Queries of bodies at random configurations of random joint trees, against brute force over the triangles of
// all parts: contacts by CGAL's exact predicates, distances by all pairs of triangles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <tuple>

#include "espalier/body_contacts.h"
#include "espalier/body_distance.h"
#include "tests/runtime/body/random_body.h"
#include "tests/support/effort.h"
#include "tests/support/exact.h"

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

TEST(BodyContactsTest, AreThoseOfAllPartsByBruteForce) {
    constexpr std::uint64_t kSeed = 11;
    Draw draw(kSeed);
    std::uint64_t colliding = 0, alone = 0, configurations = 0;
    for (std::uint64_t tree = 0; tree < effort(60, 6); ++tree) {
        HandBody a(random_parts(draw, 1 + static_cast<std::uint32_t>(draw.below(12))));
        HandBody b(random_parts(draw, 1 + static_cast<std::uint32_t>(draw.below(6))));
        for (int turn = 0; turn < 4; ++turn) {
            a.bend(draw, random_place(draw, 1));
            b.bend(draw, random_place(draw, draw.coin() ? 2 : 6));
            const Pose pose = draw.coin() ? Pose() : pose_of(random_place(draw, 2));
            SCOPED_TRACE("tree " + std::to_string(tree) + ", turn " + std::to_string(turn));
            const std::vector<Touch> between = exact_touches(pairs_between(a, b, pose));
            ASSERT_NO_FATAL_FAILURE(expect_touches<AabbTreeView>(a, &b, pose, between, draw));
            ASSERT_NO_FATAL_FAILURE(expect_touches<BoxTreeView>(a, &b, pose, between, draw));
            ASSERT_NO_FATAL_FAILURE(expect_touches<CellTreeView>(a, &b, pose, between, draw));
            ASSERT_NO_FATAL_FAILURE(expect_contact_in_frame(a, b, pose));
            const std::vector<Touch> within = exact_touches(pairs_within(a));
            ASSERT_NO_FATAL_FAILURE(expect_touches<AabbTreeView>(a, nullptr, Pose(), within, draw));
            ASSERT_NO_FATAL_FAILURE(expect_touches<BoxTreeView>(a, nullptr, Pose(), within, draw));
            colliding += between.empty() ? 0 : 1;
            alone += within.empty() ? 0 : 1;
            ++configurations;
            if (HasFailure()) return;
        }
    }
    std::printf("  %llu configurations: %llu of two bodies touch, %llu of one\n",
                static_cast<unsigned long long>(configurations), static_cast<unsigned long long>(colliding),
                static_cast<unsigned long long>(alone));
    EXPECT_GT(colliding, configurations / 4);
    EXPECT_LT(colliding, configurations * 7 / 8);
    EXPECT_GT(alone, configurations / 8);
    EXPECT_LT(alone, configurations * 7 / 8);
}

template <class Tree>
void expect_distance(const HandBody& a, const HandBody* b, const Pose& pose, double truth, Draw& draw) {
    static BodyDistance<Tree> query;
    const auto begin = [&](const DistanceGoal& goal) {
        return b ? query.begin(a.body(), b->body(), pose, goal) : query.begin_self(a.body(), goal);
    };
    ASSERT_EQ(begin(DistanceGoal()), Status::kOk);
    double lower = 0, upper = INFINITY;
    while (!query.done()) {
        Budget budget;
        budget.node_tests = draw.below(400);
        query.step(budget);
        ASSERT_LE(query.lower(), truth + 1e-9);
        ASSERT_GE(query.upper(), truth - 1e-9);
        ASSERT_GE(query.lower(), lower);
        ASSERT_LE(query.upper(), upper);
        lower = query.lower();
        upper = query.upper();
    }
    if (std::isinf(truth)) {
        EXPECT_EQ(query.lower(), truth);
        EXPECT_EQ(query.upper(), truth);
        return;
    }
    ASSERT_NEAR(query.upper(), truth, 1e-9);
    ASSERT_NEAR(query.lower(), truth, 1e-9);
    EXPECT_EQ(query.verdict(), truth > 0 ? Verdict::kDisjoint : Verdict::kColliding);
    const BodyClosestPair& closest = query.closest();
    const Eigen::Vector3d point_a(closest.found.point_a), point_b(closest.found.point_b);
    EXPECT_NEAR((point_a - point_b).norm(), truth, 1e-9);
    EXPECT_LT(closest.part_a, a.poses().size());
    EXPECT_LT(closest.part_b, (b ? *b : a).poses().size());
    for (const double share : {0.5, 2.0}) {
        DistanceGoal goal;
        goal.within = truth > 0 ? truth * share : share - 1;
        if (!(goal.within >= 0)) continue;
        ASSERT_EQ(begin(goal), Status::kOk);
        query.step();
        EXPECT_TRUE(query.done());
        EXPECT_EQ(query.upper() <= goal.within, truth <= goal.within);
    }
}

TEST(BodyDistanceTest, IsThatOfTheNearestPartsByBruteForce) {
    constexpr std::uint64_t kSeed = 12;
    Draw draw(kSeed);
    for (std::uint64_t tree = 0; tree < effort(40, 4); ++tree) {
        HandBody a(random_parts(draw, 1 + static_cast<std::uint32_t>(draw.below(12))));
        HandBody b(random_parts(draw, 1 + static_cast<std::uint32_t>(draw.below(6))));
        for (int turn = 0; turn < 3; ++turn) {
            a.bend(draw, random_place(draw, 1));
            b.bend(draw, random_place(draw, draw.coin() ? 3 : 12));
            const Pose pose = draw.coin() ? Pose() : pose_of(random_place(draw, 4));
            SCOPED_TRACE("tree " + std::to_string(tree) + ", turn " + std::to_string(turn));
            const double between = least_distance(pairs_between(a, b, pose));
            ASSERT_NO_FATAL_FAILURE(expect_distance<AabbTreeView>(a, &b, pose, between, draw));
            ASSERT_NO_FATAL_FAILURE(expect_distance<BoxTreeView>(a, &b, pose, between, draw));
            ASSERT_NO_FATAL_FAILURE(expect_distance<CellTreeView>(a, &b, pose, between, draw));
            const double within = least_distance(pairs_within(a));
            ASSERT_NO_FATAL_FAILURE(expect_distance<AabbTreeView>(a, nullptr, Pose(), within, draw));
            if (HasFailure()) return;
        }
    }
}

}  // namespace
}  // namespace espalier::testing
