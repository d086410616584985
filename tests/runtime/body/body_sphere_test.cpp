// SPDX-License-Identifier: GPL-3.0-or-later
// The time-critical query of bodies: wherever it is stopped, the separation by brute force over the triangles
// of all parts lies between its bounds, and these only ever get sharper; also from frame to frame, with few
// slots and little memory.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "espalier/body_sphere_query.h"
#include "tests/support/effort.h"
#include "tests/support/random_body.h"

namespace espalier::testing {
namespace {

/// Rounding of composed poses, in the size of these scenes.
constexpr double kSlack = 1e-9;

struct Tally {
    std::uint64_t stops = 0, colliding = 0, disjoint = 0;
};

/// Steps of drawn budgets, every stop checked; then now and then to the end.
void stop_often(BodySphereQueryBase& query, double truth, Draw& draw, Tally* tally) {
    double lower = query.lower(), upper = query.upper();
    ASSERT_LE(lower, truth + kSlack);
    ASSERT_GE(upper, truth - kSlack);
    const std::uint64_t largest = std::uint64_t{2} << draw.below(10);
    for (int stop = 0; stop < 20 && !query.done(); ++stop) {
        Budget budget;
        if (stop == 19) {
            if (draw.below(4) != 0) break;
        } else {
            budget.node_tests = draw.below(largest);
        }
        const Verdict verdict = query.step(budget);
        ++tally->stops;
        ASSERT_LE(query.lower(), truth + kSlack);
        ASSERT_GE(query.upper(), truth - kSlack);
        ASSERT_GE(query.lower(), lower);
        ASSERT_LE(query.upper(), upper);
        ASSERT_LE(query.lower(), query.upper());
        lower = query.lower();
        upper = query.upper();
        if (verdict == Verdict::kColliding) ASSERT_EQ(truth, 0);
        if (verdict == Verdict::kDisjoint) ASSERT_GT(truth, 0);
    }
    (truth == 0 ? tally->colliding : tally->disjoint) += 1;
}

/// The parts that it names are as far apart as it says, where it says so by triangles.
void expect_named_parts(const BodySphereQueryBase& query, const std::vector<PlacedPair>& pairs) {
    std::uint32_t a = 0, b = 0;
    if (!query.nearest(&a, &b)) return;
    for (const PlacedPair& pair : pairs) {
        if (pair.a != a || pair.b != b) continue;
        ASSERT_LE(BruteForce(pair.view_a, pair.view_b, pair.pose).distance(), query.upper() + kSlack);
        BodyClosestPair closest;
        if (!query.closest(&closest)) return;
        ASSERT_EQ(closest.part_a, a);
        ASSERT_EQ(closest.part_b, b);
        const Eigen::Vector3d on_a(closest.found.point_a), on_b(closest.found.point_b);
        ASSERT_NEAR((on_a - on_b).norm(), query.upper(), kSlack);
        return;
    }
    FAIL() << "parts " << a << " and " << b << " are not among the pairs";
}

BodySphereOptions drawn_options(Draw& draw, double truth) {
    BodySphereOptions options;
    options.slice = 1 + static_cast<std::uint32_t>(draw.below(200));
    options.pair.order = static_cast<SphereOrder>(draw.below(3));
    options.pair.exact = draw.below(8) != 0;
    if (draw.below(3) == 0) options.pair.goal.within = draw.coin() ? 0 : truth * draw.between(0.2, 2);
    if (!(options.pair.goal.within >= 0)) options.pair.goal.within = 1;
    if (draw.below(4) == 0) options.pair.skin = draw.unit();
    return options;
}

BodySphereCapacity drawn_capacity(Draw& draw) {
    BodySphereCapacity capacity;
    capacity.slots = 1 + static_cast<std::uint32_t>(draw.below(6));
    capacity.open_pairs = draw.coin() ? 16 : 128;
    capacity.part_pairs = draw.coin() ? 160 : 400;
    return capacity;
}

/// What a query that ran to its end must know.
void expect_answer(BodySphereQueryBase& query, const BodySphereOptions& options, double truth) {
    query.step();
    ASSERT_TRUE(query.done());
    if (!options.pair.exact) return;
    const double within = options.pair.goal.within;
    if (std::isinf(within)) {
        if (std::isinf(truth)) {
            ASSERT_EQ(query.lower(), truth);
            return;
        }
        ASSERT_NEAR(query.upper(), truth, kSlack);
        ASSERT_NEAR(query.lower(), truth, kSlack);
    } else if (std::fabs(truth - within) > kSlack) {
        ASSERT_EQ(query.upper() <= within, truth <= within);
        ASSERT_EQ(query.lower() > within, truth > within);
    }
}

TEST(BodySphereBounds, HoldAtEveryStopForBodiesAndTheirParts) {
    constexpr std::uint64_t kSeed = 21;
    Draw draw(kSeed);
    Tally tally;
    BodyMemory memory(BodySphereQueryBase::memory_size({8, 256, 512}));
    const std::uint64_t wanted = effort(100000, 500);
    for (std::uint64_t tree = 0; tally.stops < wanted; ++tree) {
        HandBody a(random_parts(draw, 1 + static_cast<std::uint32_t>(draw.below(12))));
        HandBody b(random_parts(draw, 1 + static_cast<std::uint32_t>(draw.below(6))));
        for (int turn = 0; turn < 4; ++turn) {
            a.bend(draw, random_place(draw, 1));
            b.bend(draw, random_place(draw, draw.coin() ? 3 : 9));
            const Pose pose = draw.coin() ? Pose() : pose_of(random_place(draw, 4));
            const bool self = draw.below(3) == 0;
            SCOPED_TRACE("tree " + std::to_string(tree) + ", turn " + std::to_string(turn));
            const std::vector<PlacedPair> pairs = self ? pairs_within(a) : pairs_between(a, b, pose);
            const double truth = least_distance(pairs);
            for (int repeat = 0; repeat < 4; ++repeat) {
                const BodySphereOptions options = drawn_options(draw, truth);
                const BodySphereCapacity capacity = drawn_capacity(draw);
                BodySphereQueryBase query;
                ASSERT_EQ(self ? query.begin_self(a.body(), options, capacity, memory.data(), memory.size())
                               : query.begin(a.body(), b.body(), pose, options, capacity, memory.data(),
                                             memory.size()),
                          Status::kOk);
                ASSERT_NO_FATAL_FAILURE(stop_often(query, truth, draw, &tally));
                ASSERT_NO_FATAL_FAILURE(expect_named_parts(query, pairs));
                ASSERT_NO_FATAL_FAILURE(expect_answer(query, options, truth));
            }
        }
    }
    std::printf("  %llu stops: %llu queries of touching bodies, %llu of others\n",
                static_cast<unsigned long long>(tally.stops),
                static_cast<unsigned long long>(tally.colliding),
                static_cast<unsigned long long>(tally.disjoint));
    EXPECT_GT(tally.colliding, tally.disjoint / 6);
    EXPECT_GT(tally.disjoint, tally.colliding / 6);
}

TEST(BodySphereFrames, ChangeNoAnswerWhateverTheBodiesDo) {
    constexpr std::uint64_t kSeed = 22;
    Draw draw(kSeed);
    Tally tally;
    for (std::uint64_t tree = 0; tree < effort(12, 2); ++tree) {
        HandBody a(random_parts(draw, 8)), b(random_parts(draw, 4));
        a.bend(draw, random_place(draw, 1));
        b.bend(draw, random_place(draw, 5));
        const bool self = tree % 3 == 2;
        BodySphereOptions options = drawn_options(draw, 1);
        const BodySphereCapacity capacity = drawn_capacity(draw);
        BodyMemory memory(BodySphereQueryBase::memory_size(capacity));
        BodySphereQueryBase query;
        ASSERT_EQ(
            self ? query.begin_self(a.body(), options, capacity, memory.data(), memory.size())
                 : query.begin(a.body(), b.body(), Pose(), options, capacity, memory.data(), memory.size()),
            Status::kOk);
        Pose pose;
        for (int frame = 0; frame < 20; ++frame) {
            SCOPED_TRACE("tree " + std::to_string(tree) + ", frame " + std::to_string(frame));
            std::vector<Pose> poses = a.poses();
            const double most = frame % 5 == 4 ? 2 : 0.05;
            for (Pose& moved : poses)
                for (double& t : moved.translation) t += draw.between(-most, most);
            a.set(poses);
            if (!self) pose.translation[0] += draw.between(-most, most);
            ASSERT_EQ(query.advance(pose), Status::kOk);
            const double truth = least_distance(self ? pairs_within(a) : pairs_between(a, b, pose));
            ASSERT_NO_FATAL_FAILURE(stop_often(query, truth, draw, &tally));
            if (draw.coin()) ASSERT_NO_FATAL_FAILURE(expect_answer(query, options, truth));
        }
    }
}

TEST(BodySphereFrames, GoOnWithLessWorkThanTheFirst) {
    Draw draw(23);
    HandBody a(random_parts(draw, 10)), b(random_parts(draw, 5));
    b.bend(draw, random_place(draw, 1));
    Pose pose;
    pose.translation[0] = 9;
    static BodySphereQuery<8, 512, 512> query;
    BodySphereOptions options;
    ASSERT_EQ(query.begin(a.body(), b.body(), pose, options), Status::kOk);
    query.step();
    const std::uint64_t first = query.counters().node_tests;
    pose.translation[0] += 0.001;
    ASSERT_EQ(query.advance(pose), Status::kOk);
    query.step();
    EXPECT_LT(query.counters().node_tests, first);
    static BodySphereQuery<8, 512, 512> fresh;
    ASSERT_EQ(fresh.begin(a.body(), b.body(), pose, options), Status::kOk);
    fresh.step();
    EXPECT_NEAR(query.upper(), fresh.upper(), kSlack);
}

TEST(BodySphereMemory, HoldsTheLeastTableForManyPairs) {
    Draw draw(24);
    HandParts parts;
    for (int i = 0; i < 60; ++i) parts.add(std::to_string(i), hand_part(i % 9, kNoIndex, {0, 0, 0}));
    HandBody a(parts), b(parts);
    std::vector<Pose> poses;
    poses.reserve(60);
    for (int i = 0; i < 60; ++i) poses.push_back(pose_of(random_place(draw, 3)));
    a.set(poses);
    for (Pose& pose : poses) pose = pose_of(random_place(draw, 3));
    b.set(poses);
    Pose pose;
    pose.translation[2] = 6.5;
    const double truth = least_distance(pairs_between(a, b, pose));
    for (const std::uint32_t part_pairs : {160u, 512u, 5000u}) {
        const BodySphereCapacity capacity{1, 16, part_pairs};
        BodyMemory memory(BodySphereQueryBase::memory_size(capacity));
        BodySphereQueryBase query;
        ASSERT_EQ(query.begin(a.body(), b.body(), pose, {}, capacity, memory.data(), memory.size()),
                  Status::kOk);
        query.step();
        EXPECT_TRUE(query.done());
        EXPECT_NEAR(query.upper(), truth, kSlack) << part_pairs;
        EXPECT_NEAR(query.lower(), truth, kSlack) << part_pairs;
        ASSERT_EQ(query.begin_self(a.body(), {}, capacity, memory.data(), memory.size()), Status::kOk);
        query.step();
        EXPECT_TRUE(query.done());
        const double own = least_distance(pairs_within(a));
        EXPECT_NEAR(query.upper(), own, kSlack) << part_pairs;
    }
}

TEST(BodySphereArguments, ThatAreWrongAreStatuses) {
    Draw draw(25);
    const HandBody a(random_parts(draw, 3));
    BodySphereCapacity capacity;
    BodyMemory memory(BodySphereQueryBase::memory_size(capacity));
    BodySphereQueryBase query;
    EXPECT_EQ(query.advance(), Status::kInvalidArgument) << "not begun";
    const auto begin = [&](const BodySphereOptions& options, const BodySphereCapacity& room, void* data,
                           std::size_t size, const Pose& pose = Pose()) {
        const Status status = query.begin(a.body(), a.body(), pose, options, room, data, size);
        if (status != Status::kOk) {
            EXPECT_EQ(query.step(), Verdict::kUnresolved);
            EXPECT_EQ(query.lower(), 0);
            EXPECT_TRUE(std::isinf(query.upper()));
        }
        return status;
    };
    BodySphereOptions options;
    EXPECT_EQ(begin(options, capacity, memory.data(), memory.size()), Status::kOk);
    EXPECT_EQ(begin(options, capacity, nullptr, memory.size()), Status::kInvalidArgument);
    EXPECT_EQ(begin(options, capacity, memory.data(), memory.size() - 1), Status::kInvalidArgument);
    EXPECT_EQ(begin(options, capacity, static_cast<char*>(memory.data()) + 8, memory.size()),
              Status::kInvalidArgument);
    options.pair.goal.within = -1;
    EXPECT_EQ(begin(options, capacity, memory.data(), memory.size()), Status::kInvalidArgument);
    options = BodySphereOptions();
    for (const BodySphereCapacity& room :
         {BodySphereCapacity{0, 256, 512}, BodySphereCapacity{8, 15, 512}, BodySphereCapacity{8, 256, 159},
          BodySphereCapacity{4097, 256, 512}}) {
        EXPECT_EQ(BodySphereQueryBase::memory_size(room), 0u);
        EXPECT_EQ(begin(options, room, memory.data(), memory.size()), Status::kInvalidArgument);
    }
    Pose bad;
    bad.translation[1] = NAN;
    EXPECT_EQ(begin(options, capacity, memory.data(), memory.size(), bad), Status::kInvalidArgument);
    EXPECT_EQ(query.begin_self(Body(), options, capacity, memory.data(), memory.size()),
              Status::kInvalidArgument);
    EXPECT_EQ(begin(options, capacity, memory.data(), memory.size()), Status::kOk);
    EXPECT_EQ(query.advance(bad), Status::kInvalidArgument);
    query.step();
    EXPECT_TRUE(query.done()) << "a pose that was refused changes nothing";
}

}  // namespace
}  // namespace espalier::testing
