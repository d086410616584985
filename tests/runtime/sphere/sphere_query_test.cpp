// SPDX-License-Identifier: GPL-3.0-or-later
// Sphere queries one property at a time: exact ends, stops, memory, containment, unproved coverage, frames.
#include <gtest/gtest.h>

#include <cmath>

#include "corpus/registry.h"
#include "tests/runtime/sphere/sphere_part.h"
#include "tests/support/brute_force.h"
#include "tests/support/meshes.h"

namespace espalier::testing {
namespace {

TriangleMesh corpus_mesh(const char* name, std::uint32_t triangles) {
    return corpus::find_corpus_mesh(name)->make_near(triangles);
}

const SpherePart& torus() {
    static const SpherePart part("torus", corpus_mesh("torus", 200));
    return part;
}

Budget tests(std::uint64_t count) {
    Budget budget;
    budget.node_tests = count;
    return budget;
}

struct Known {
    double lower, upper;
    std::uint64_t node_tests;
    Verdict verdict;
    bool operator==(const Known&) const = default;
};

Known known(const SphereQueryBase& query) {
    return {query.lower(), query.upper(), query.counters().node_tests, query.verdict()};
}

TEST(SphereQuery, AnyCapacityAndOrderEndsWithTheSameSeparation) {
    Draw draw(11);
    const ShapeView& part = torus().part();
    for (int i = 0; i < 30; ++i) {
        const Pose pose = random_pose(draw, part, part, 1.3);
        const double separation = BruteForce(part, part, pose).distance();
        for (const SphereOrder order :
             {SphereOrder::kLevel, SphereOrder::kBestFirst, SphereOrder::kWidestFirst})
            for (const std::size_t capacity : {16u, 20u, 64u, 4096u}) {
                std::vector<SpherePair> memory(capacity);
                SphereQueryOptions options;
                options.order = order;
                SphereQueryBase query;
                ASSERT_EQ(query.begin(part, part, pose, options, memory.data(), capacity), Status::kOk);
                query.step();
                ASSERT_TRUE(query.done());
                EXPECT_NEAR(query.upper(), separation, 1e-12) << text_of(pose);
                EXPECT_NEAR(query.lower(), separation, 1e-12) << text_of(pose);
                ClosestPair pair;
                if (separation > 0) {
                    ASSERT_TRUE(query.closest(&pair));
                    EXPECT_EQ(pair.distance, query.upper());
                }
            }
    }
}

TEST(SphereQuery, StoppingAndGoingOnEqualsOneGo) {
    Draw draw(12);
    const ShapeView& part = torus().part();
    for (int i = 0; i < 40; ++i) {
        const Pose pose = random_pose(draw, part, part, 1.0);
        SphereQueryOptions options;
        options.order = i % 2 ? SphereOrder::kLevel : SphereOrder::kBestFirst;
        SphereQuery<64> stopped, whole;
        ASSERT_EQ(stopped.begin(part, part, pose, options), Status::kOk);
        ASSERT_EQ(whole.begin(part, part, pose, options), Status::kOk);
        while (!stopped.done()) stopped.step(tests(1 + draw.below(30)));
        whole.step();
        EXPECT_EQ(known(stopped), known(whole));
        // And a budget in one go is where steps of one node test pass it.
        SphereQuery<64> small, large;
        ASSERT_EQ(small.begin(part, part, pose, options), Status::kOk);
        ASSERT_EQ(large.begin(part, part, pose, options), Status::kOk);
        const std::uint64_t budget = small.counters().node_tests + 100;
        while (small.counters().node_tests < budget && !small.done()) small.step(tests(1));
        large.step(tests(100));
        EXPECT_EQ(small.upper(), large.upper());
        EXPECT_EQ(small.lower(), large.lower());
    }
}

TEST(SphereQuery, AStepExceedsItsBudgetByLessThanOneVisit) {
    const ShapeView& part = torus().part();
    Pose pose;
    pose.translation[0] = 0.4;
    SphereQuery<64> query;
    ASSERT_EQ(query.begin(part, part, pose), Status::kOk);
    while (!query.done()) {
        const std::uint64_t before = query.counters().node_tests;
        query.step(tests(1));
        ASSERT_LE(query.counters().node_tests - before, 8u);
    }
}

TEST(SphereQuery, TheClockIsAskedBeforeEveryVisit) {
    const ShapeView& part = torus().part();
    struct Clock {
        int left = 5, asked = 0;
        static bool expired(void* user) {
            auto* clock = static_cast<Clock*>(user);
            ++clock->asked;
            return clock->left-- == 0;
        }
    } clock;
    Budget budget;
    budget.expired = &Clock::expired;
    budget.user = &clock;
    Pose pose;
    pose.translation[0] = 0.4;
    SphereQuery<64> query;
    ASSERT_EQ(query.begin(part, part, pose), Status::kOk);
    const std::uint64_t before = query.counters().node_tests;
    query.step(budget);
    EXPECT_EQ(clock.asked, 6);
    EXPECT_LE(query.counters().node_tests - before, 40u);
    EXPECT_FALSE(query.done());
}

TEST(SphereQuery, TheLevelIsThatOfTheSpheresThatSpeakForTheParts) {
    const ShapeView& part = torus().part();
    Draw draw(13);
    for (int i = 0; i < 20; ++i) {
        const Pose pose = random_pose(draw, part, part, 0.8);
        for (const SphereOrder order :
             {SphereOrder::kLevel, SphereOrder::kBestFirst, SphereOrder::kWidestFirst}) {
            SphereQueryOptions options;
            options.order = order;
            SphereQuery<1024> query;
            ASSERT_EQ(query.begin(part, part, pose, options), Status::kOk);
            EXPECT_EQ(query.level(), 0u);
            std::uint32_t before = 0;
            while (!query.done()) {
                query.step(tests(8));
                ASSERT_LE(query.level(), part.sphere.level_count);
                if (order == SphereOrder::kLevel) ASSERT_GE(query.level(), before);
                before = query.level();
            }
            EXPECT_EQ(query.level(), part.sphere.level_count);
            // Best first is soon fine where it matters, though pairs with a root are still open.
            if (order != SphereOrder::kBestFirst) continue;
            ASSERT_EQ(query.begin(part, part, pose, options), Status::kOk);
            query.step(tests(48));
            EXPECT_GE(query.level(), 1u) << text_of(pose);
        }
    }
}

/// A ball deep inside a large box: the solids overlap, the surfaces are far apart.
TEST(SphereQuery, AContainedPartIsAsFarAsItsSurface) {
    const SpherePart outer("box", corpus_mesh("box", 200));
    const SpherePart inner("ball", corpus_mesh("icosphere", 80));
    Pose pose;
    for (double& s : pose.scale) s = 0.05;
    for (int k = 0; k < 3; ++k)
        pose.translation[k] = (double(outer.part().lo[k]) + double(outer.part().hi[k])) / 2;
    const double separation = BruteForce(outer.part(), inner.part(), pose).distance();
    ASSERT_GT(separation, 0.1);
    SphereQuery<> query;
    ASSERT_EQ(query.begin(outer.part(), inner.part(), pose), Status::kOk);
    EXPECT_FALSE(query.surface_errors()) << "boxes cannot rule containment out here";
    while (!query.done()) {
        query.step(tests(5));
        ASSERT_GE(query.upper(), separation * (1 - 1e-12));
        ASSERT_LE(query.lower(), separation * (1 + 1e-12));
    }
    EXPECT_EQ(query.verdict(), Verdict::kDisjoint);
    EXPECT_NEAR(query.upper(), separation, 1e-12);
}

/// The counterexample to "errors less overlap": a point in the middle of a bowl.
TEST(SphereQuery, APointInABowlIsAsFarAsTheBowl) {
    TriangleMesh bowl = corpus_mesh("icosphere", 320), point = corpus_mesh("icosphere", 20);
    std::erase_if(bowl.triangles, [&](const Triangle& t) { return bowl.positions[t[0]].x() > 0.5F; });
    for (Eigen::Vector3f& p : point.positions) p *= 0.001F;
    HandSphereOptions open;
    open.closed = false;
    open.levels = 1;
    const SpherePart a("bowl", bowl, open), b("point", point, open);
    const double separation = BruteForce(a.part(), b.part(), Pose()).distance();
    ASSERT_GT(separation, 0.5);
    SphereQueryOptions spheres_only;
    spheres_only.exact = false;
    SphereQuery<> query;
    ASSERT_EQ(query.begin(a.part(), b.part(), Pose(), spheres_only), Status::kOk);
    query.step();
    EXPECT_TRUE(query.done());
    EXPECT_GE(query.upper(), separation);
    EXPECT_EQ(query.verdict(), Verdict::kUnresolved);
}

TEST(SphereQuery, UnprovedCoverageClaimsNoLowerBoundBeyondTheBounds) {
    HandSphereOptions unproved;
    unproved.proved = false;
    // Spheres so small that they cover next to nothing: a query that trusted them would call this disjoint.
    unproved.change = [](HandSphereTree& t) {
        for (SphereNode& s : t.spheres) s.radius *= 0.01F;
    };
    const SpherePart part("torus", corpus_mesh("torus", 200), unproved);
    Pose pose;
    pose.translation[0] = 0.3;
    ASSERT_EQ(BruteForce(part.part(), part.part(), pose).distance(), 0);
    SphereQuery<> query;
    ASSERT_EQ(query.begin(part.part(), part.part(), pose), Status::kOk);
    EXPECT_FALSE(query.conservative());
    query.step();
    EXPECT_TRUE(query.done());
    EXPECT_NE(query.verdict(), Verdict::kDisjoint);
    EXPECT_EQ(query.lower(), 0);
    pose.translation[0] = 100;
    ASSERT_EQ(query.begin(part.part(), part.part(), pose), Status::kOk);
    EXPECT_EQ(query.step(), Verdict::kDisjoint) << "the parts' bounds are apart";
}

TEST(SphereQuery, AFullMemoryOfADagStaysTrueAndEnds) {
    HandSphereOptions options;
    options.dag = true;
    const SpherePart part("gear", corpus_mesh("gear", 200), options);
    Draw draw(14);
    for (int i = 0; i < 20; ++i) {
        const Pose pose = random_pose(draw, part.part(), part.part(), 1.2);
        const double separation = BruteForce(part.part(), part.part(), pose).distance();
        SphereQuery<16> small;
        SphereQuery<20000> large;
        ASSERT_EQ(small.begin(part.part(), part.part(), pose), Status::kOk);
        ASSERT_EQ(large.begin(part.part(), part.part(), pose), Status::kOk);
        small.step();
        large.step();
        EXPECT_TRUE(small.done() && large.done());
        EXPECT_LE(small.lower(), separation);
        EXPECT_GE(small.upper(), separation - 1e-12);
        EXPECT_NEAR(large.upper(), separation, 1e-12);
        EXPECT_NEAR(large.lower(), separation, 1e-12);
    }
}

TEST(SphereQuery, ANewFrameStartsFromTheOldFrontAndAnswersTheSame) {
    Draw draw(15);
    const ShapeView& part = torus().part();
    std::uint64_t warm_tests = 0, cold_tests = 0;
    for (const bool only_touch : {false, true}) {
        SphereQueryOptions options;
        options.skin = 0.1;
        if (only_touch) options.goal.within = 0;
        SphereQuery<512> warm, cold;
        Pose pose = random_pose(draw, part, part, 1.0);
        const Eigen::Vector3d direction = 0.01 * draw.direction();
        ASSERT_EQ(warm.begin(part, part, pose, options), Status::kOk);
        for (int frame = 0; frame < 200; ++frame) {
            // Half of the frames end early.
            warm.step(frame % 2 ? Budget() : tests(60));
            if (frame % 2) {
                ASSERT_EQ(cold.begin(part, part, pose, options), Status::kOk);
                cold.step();
                ASSERT_EQ(warm.verdict(), cold.verdict()) << "frame " << frame;
                if (!only_touch) ASSERT_NEAR(warm.upper(), cold.upper(), 1e-12) << "frame " << frame;
                warm_tests += warm.counters().node_tests;
                cold_tests += cold.counters().node_tests;
            }
            const double separation = BruteForce(part, part, pose).distance();
            ASSERT_LE(warm.lower(), separation + 1e-12) << "frame " << frame;
            ASSERT_GE(warm.upper(), separation - 1e-12) << "frame " << frame;
            for (int k = 0; k < 3; ++k) pose.translation[k] += direction[k] * (frame < 100 ? 1 : -1);
            pose.rotation[frame % 4] += 0.01;
            ASSERT_EQ(warm.advance(pose), Status::kOk);
        }
    }
    std::printf("  node tests: %llu from old fronts, %llu from the roots\n",
                static_cast<unsigned long long>(warm_tests), static_cast<unsigned long long>(cold_tests));
}

/// A frame of a pair that comes and goes: the bounds hold right after the move and after every small step.
void check_moved_frame(SphereQueryBase* query, double separation, std::uint64_t steps, double within) {
    double lower = 0, upper = INFINITY;
    for (std::uint64_t i = 0; i <= steps; ++i) {
        ASSERT_LE(query->lower(), separation + 1e-12);
        ASSERT_GE(query->upper(), separation - 1e-12);
        ASSERT_GE(query->lower(), lower) << "lower never falls";
        ASSERT_LE(query->upper(), upper) << "upper never rises";
        ASSERT_TRUE(query->verdict() != Verdict::kColliding || separation < 1e-12);
        ASSERT_TRUE(query->verdict() != Verdict::kDisjoint || separation > 0);
        if (query->done()) ASSERT_TRUE(query->lower() > within || query->upper() <= within + 1e-12);
        lower = query->lower();
        upper = query->upper();
        const std::uint64_t before = query->counters().node_tests;
        query->step(tests(5));
        ASSERT_LE(query->counters().node_tests, before + 5 + 8) << "one visit beyond the budget at most";
    }
}

TEST(SphereQuery, AMovedPairKeepsTrueBoundsBeforeAndDuringEveryStep) {
    Draw draw(21);
    const ShapeView& part = torus().part();
    for (const double within : {0.0, 0.05}) {
        for (const SphereOrder order : {SphereOrder::kLevel, SphereOrder::kBestFirst}) {
            SphereQueryOptions options;
            options.skin = 0.1;
            options.goal.within = within;
            options.order = order;
            SphereQuery<128> query;
            Pose pose = random_pose(draw, part, part, 1.2);
            const Eigen::Vector3d direction = 0.02 * draw.direction();
            ASSERT_EQ(query.begin(part, part, pose, options), Status::kOk);
            for (int frame = 0; frame < 120; ++frame) {
                const double separation = BruteForce(part, part, pose).distance();
                // No step at all, a few, or to the end: what is not looked at grows old.
                const std::uint64_t steps = frame % 3 == 0 ? 0 : frame % 3 == 1 ? 2 : 2000;
                ASSERT_NO_FATAL_FAILURE(check_moved_frame(&query, separation, steps, within))
                    << "frame " << frame << ", within " << within;
                if (steps == 2000) {
                    ASSERT_TRUE(query.done()) << "frame " << frame;
                    if (within == 0) {
                        ASSERT_EQ(query.verdict() == Verdict::kColliding, separation == 0)
                            << "frame " << frame;
                    }
                }
                for (int k = 0; k < 3; ++k) pose.translation[k] += direction[k] * (frame < 60 ? 1 : -1);
                pose.rotation[frame % 4] += 0.02;
                ASSERT_EQ(query.advance(pose), Status::kOk);
            }
        }
    }
}

TEST(SphereQuery, PartsThatMoveLessThanTheyAreApartNeedNoTest) {
    const ShapeView& part = torus().part();
    SphereQueryOptions options;
    options.goal.within = 0;
    options.skin = 0.1;
    SphereQuery<128> query;
    Pose pose;
    pose.translation[0] = 3;
    ASSERT_EQ(query.begin(part, part, pose, options), Status::kOk);
    ASSERT_EQ(query.step(), Verdict::kDisjoint);
    const double lower = query.lower();
    pose.translation[0] -= lower / 4;
    ASSERT_EQ(query.advance(pose), Status::kOk);
    EXPECT_TRUE(query.done());
    EXPECT_EQ(query.verdict(), Verdict::kDisjoint);
    EXPECT_EQ(query.counters().node_tests, 0u);
    EXPECT_LT(query.lower(), lower);
    SphereContact mean;
    EXPECT_FALSE(query.mean_contact(&mean));
}

TEST(SphereQuery, ContactsAreWhereTheSpheresOverlap) {
    const ShapeView& part = torus().part();
    Pose pose;
    pose.translation[0] = 0.5;
    SphereQueryOptions options;
    options.order = SphereOrder::kLevel;
    SphereQuery<512> query;
    ASSERT_EQ(query.begin(part, part, pose, options), Status::kOk);
    query.step(tests(200));
    SphereContact some[8];
    const std::size_t count = query.contacts(some, 8);
    ASSERT_GT(count, 0u);
    for (std::size_t i = 0; i < std::min<std::size_t>(count, 8); ++i) {
        double squared = 0, distance = 0;
        const SphereNode& s = part.sphere.spheres[some[i].sphere_a];
        for (int k = 0; k < 3; ++k) {
            squared += some[i].normal[k] * some[i].normal[k];
            distance += std::pow(some[i].point[k] - double(s.center[k]), 2);
        }
        EXPECT_NEAR(squared, 1, 1e-12);
        EXPECT_LE(std::sqrt(distance), double(s.radius) * (1 + 1e-9));
        EXPECT_GE(some[i].depth, 0);
    }
    SphereContact mean;
    ASSERT_TRUE(query.mean_contact(&mean));
    EXPECT_GT(mean.normal[0], 0) << "B lies on this side of A";
    query.step();
    ASSERT_EQ(query.verdict(), Verdict::kColliding);
    ASSERT_TRUE(query.mean_contact(&mean));
    pose.translation[0] = 100;
    ASSERT_EQ(query.begin(part, part, pose), Status::kOk);
    query.step();
    EXPECT_EQ(query.contacts(nullptr, 0), 0u);
    EXPECT_FALSE(query.mean_contact(&mean));
}

TEST(SphereQuery, RefusesWhatItCannotDo) {
    const ShapeView& part = torus().part();
    HandSphereOptions none;
    none.sphere = false;
    const SpherePart bare("bare", corpus_mesh("torus", 60), none);
    SpherePair memory[16];
    SphereQueryBase query;
    SphereQueryOptions options;
    EXPECT_EQ(query.advance(Pose()), Status::kInvalidArgument);
    EXPECT_EQ(query.begin(part, bare.part(), Pose(), options, memory, 16), Status::kNoTree);
    EXPECT_EQ(query.step(), Verdict::kUnresolved);
    EXPECT_EQ(query.begin(part, part, Pose(), options, memory, 15), Status::kInvalidArgument);
    EXPECT_EQ(query.begin(part, part, Pose(), options, nullptr, 16), Status::kInvalidArgument);
    EXPECT_EQ(query.advance(Pose()), Status::kInvalidArgument);
    Pose broken;
    broken.translation[1] = NAN;
    EXPECT_EQ(query.begin(part, part, broken, options, memory, 16), Status::kInvalidArgument);
    options.skin = -1;
    EXPECT_EQ(query.begin(part, part, Pose(), options, memory, 16), Status::kInvalidArgument);
    options.skin = 0;
    ASSERT_EQ(query.begin(part, part, Pose(), options, memory, 16), Status::kOk);
    EXPECT_EQ(query.advance(broken), Status::kInvalidArgument);
    EXPECT_EQ(query.step(), Verdict::kColliding) << "a refused pose leaves the query as it was";
}

}  // namespace
}  // namespace espalier::testing
