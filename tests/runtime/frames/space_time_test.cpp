// SPDX-License-Identifier: GPL-3.0-or-later
// Space-time bounds against motions that use their limits of acceleration to the full: no contact is missed,
// and the earliest time is tight.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "espalier/broad_phase.h"
#include "tests/runtime/frames/broad_memory.h"
#include "tests/support/draw.h"

namespace espalier {
namespace {

using Eigen::Vector3d;
using testing::CallerMemory;
using testing::Draw;
using testing::PairSet;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Motion motion(const Vector3d& p, const Vector3d& v, double radius, double limit) {
    Motion m;
    for (int k = 0; k < 3; ++k) {
        m.position[k] = p[k];
        m.velocity[k] = v[k];
    }
    m.radius = radius;
    m.max_acceleration = limit;
    return m;
}

Vector3d vector(const double* v) {
    return {v[0], v[1], v[2]};
}

/// Whether two spheres can touch at time t: in long double, as exact as the test needs.
long double gap_at(const Motion& a, const Motion& b, long double t) {
    long double squared = 0;
    for (int k = 0; k < 3; ++k) {
        const long double d =
            (long double)b.position[k] - a.position[k] + ((long double)b.velocity[k] - a.velocity[k]) * t;
        squared += d * d;
    }
    return std::sqrt(squared) - a.radius - b.radius -
           ((long double)a.max_acceleration + b.max_acceleration) * t * t / 2;
}

TEST(EarliestContact, IsBelowAndCloseToTheFirstPossibleTime) {
    Draw draw(11);
    int finite = 0;
    for (int i = 0; i < 20000; ++i) {
        const double scale = draw.power_of_two(-20, 20), offset = draw.power_of_two(-10, 10);
        const Vector3d far = offset * scale * draw.direction();
        const double limit = draw.below(4) == 0 ? 0 : scale * draw.power_of_two(-12, 4);
        const Motion a =
            motion(far + scale * draw.in_cube(), scale * draw.in_cube(), scale * 0.1 * draw.unit(), limit);
        const Motion b =
            motion(far + scale * draw.in_cube(), scale * draw.in_cube(), scale * 0.1 * draw.unit(), 0);
        const double time = earliest_contact(a, b);
        ASSERT_GE(time, 0);
        const double checked = time == kInfinity ? 1000 : time;
        for (int k = 0; k <= 64; ++k)  // nothing can touch before
            ASSERT_GE(gap_at(a, b, checked * k / 64 * (1 - 1e-16)), time == 0 ? -kInfinity : 0)
                << "case " << i;
        if (time == kInfinity || time == 0) continue;
        ++finite;
        // Rounding is measured by the distance from the origin, and time by what that is at the speed of
        // closing.
        const double after = time * (1 + 1e-5);
        const double least = std::min(gap_at(a, b, after), gap_at(a, b, time * (1 + 1e-3)));
        ASSERT_LE(least, 1e-6 * scale * (1 + offset)) << "case " << i << " at " << time;
    }
    EXPECT_GT(finite, 10000);
}

TEST(EarliestContact, IsZeroForTouchingAndInfiniteForPartingSpheres) {
    const Motion a = motion({0, 0, 0}, {0, 0, 0}, 1, 0);
    EXPECT_EQ(earliest_contact(a, motion({2, 0, 0}, {1, 0, 0}, 1, 0)), 0);
    EXPECT_EQ(earliest_contact(a, motion({1, 0, 0}, {9, 0, 0}, 1, 5)), 0);
    EXPECT_EQ(earliest_contact(a, motion({0, 0, 0}, {0, 0, 0}, 1, 5)), 0);
    EXPECT_EQ(earliest_contact(a, motion({3, 0, 0}, {1, 0, 0}, 1, 0)), kInfinity);
    EXPECT_EQ(earliest_contact(a, motion({3, 0, 0}, {0, 1, 0}, 1, 0)), kInfinity);
    EXPECT_NEAR(earliest_contact(a, motion({4, 0, 0}, {-1, 0, 0}, 1, 0)), 2, 1e-6);
    EXPECT_NEAR(earliest_contact(a, motion({4, 0, 0}, {0, 0, 0}, 1, 1)), 2, 1e-6);
    // A graze: the least distance is exactly the sum of the radii.
    const double graze = earliest_contact(a, motion({5, 2, 0}, {-1, 0, 0}, 1, 0));
    EXPECT_LE(graze, 5);
    EXPECT_GT(graze, 4.9);
}

TEST(ReachBox, HoldsEveryPlaceWithinTheLimit) {
    Draw draw(5);
    for (int i = 0; i < 3000; ++i) {
        const Motion m = motion(100 * draw.in_cube(), 5 * draw.in_cube(), draw.unit(), 4 * draw.unit());
        const double duration = draw.power_of_two(-8, 3);
        const BroadBox box = reach_box(m, duration);
        for (int k = 0; k < 20; ++k) {
            const double t = k == 0 ? duration : duration * draw.unit();
            const Vector3d place = vector(m.position) + t * vector(m.velocity) +
                                   (m.max_acceleration * t * t / 2 + m.radius) * draw.direction();
            for (int axis = 0; axis < 3; ++axis) {
                ASSERT_LE(box.lo[axis], place[axis]);
                ASSERT_GE(box.hi[axis], place[axis]);
            }
        }
    }
}

/// Spheres that steer with full acceleration, each at the time and in the way that is worst for a prediction.
struct Swarm {
    enum class Steering { kHunt, kReverse, kStraight, kRandom };

    Swarm(std::uint64_t seed, std::uint32_t n, double size)
        : draw(seed), objects(n), aim(n, Vector3d::Zero()), steering(n) {
        for (std::uint32_t i = 0; i < n; ++i) {
            objects[i] = motion(size * draw.in_cube(), 2 * draw.in_cube(), 0.1 + 0.2 * draw.unit(),
                                i % 4 == 3 ? 0 : 6 * draw.unit());
            steering[i] = static_cast<Steering>(draw.below(4));
        }
    }

    /// Chooses accelerations of the full length for one frame.
    void steer(int frame) {
        for (std::uint32_t i = 0; i < objects.size(); ++i) {
            Vector3d wish = draw.direction();
            if (steering[i] == Steering::kHunt) wish = nearest(i);
            if (steering[i] == Steering::kReverse && frame % 16 < 8) wish = -vector(objects[i].velocity);
            if (steering[i] == Steering::kStraight) wish = vector(objects[i].velocity);
            const double length = wish.norm();
            aim[i] = length > 0 ? Vector3d(objects[i].max_acceleration / length * wish) : Vector3d::Zero();
        }
    }

    Vector3d nearest(std::uint32_t i) const {
        Vector3d best = Vector3d::Zero();
        double least = kInfinity;
        for (std::uint32_t j = 0; j < objects.size(); ++j) {
            const Vector3d way = vector(objects[j].position) - vector(objects[i].position);
            if (j != i && way.norm() < least && way.norm() > 0) {
                least = way.norm();
                best = way;
            }
        }
        return best;
    }

    Vector3d place(std::uint32_t i, double dt) const {
        return vector(objects[i].position) + dt * vector(objects[i].velocity) + dt * dt / 2 * aim[i];
    }

    PairSet touching(double dt) const {
        PairSet pairs;
        for (std::uint32_t a = 0; a < objects.size(); ++a)
            for (std::uint32_t b = a + 1; b < objects.size(); ++b)
                if ((place(a, dt) - place(b, dt)).norm() <= objects[a].radius + objects[b].radius)
                    pairs.insert({a, b});
        return pairs;
    }

    void move(double dt) {
        for (std::uint32_t i = 0; i < objects.size(); ++i) {
            const Vector3d p = place(i, dt), v = vector(objects[i].velocity) + dt * aim[i];
            objects[i] = motion(p, v, objects[i].radius, objects[i].max_acceleration);
        }
    }

    Draw draw;
    std::vector<Motion> objects;
    std::vector<Vector3d> aim;
    std::vector<Steering> steering;
};

struct Tally {
    std::uint64_t contacts = 0, due = 0, examined = 0, near = 0;
};

/// Runs a swarm and checks every contact within every frame against the pairs that were due.
void run_swarm(std::uint64_t seed, bool kicks, double frame_time, Tally* tally) {
    const std::uint32_t n = 40;
    Swarm swarm(seed, n, 6);
    CallerMemory memory(SpaceTimeBounds::memory_size(n, n * n));
    SpaceTimeBounds bounds;
    ASSERT_EQ(bounds.begin(memory.data(), memory.size(), n, n * n, 0.25), Status::kOk);
    for (int frame = 0; frame < 120; ++frame) {
        const double now = frame * frame_time, until = (frame + 1) * frame_time;
        if (kicks && frame % 5 == 0) {  // bounces: velocities that no limit explains
            for (int k = 0; k < 20; ++k) {
                Motion& m = swarm.objects[swarm.draw.below(n)];
                // homeward, so that the swarm stays together
                m = motion(vector(m.position), swarm.draw.in_cube() - vector(m.position), m.radius,
                           m.max_acceleration);
            }
        }
        for (std::uint32_t i = 0; i < n; ++i) ASSERT_EQ(bounds.set(i, now, swarm.objects[i]), Status::kOk);
        ASSERT_EQ(bounds.advance(until), Status::kOk);
        PairSet due;
        for (std::uint32_t i = 0; i < bounds.due_count(); ++i) {
            EXPECT_LE(bounds.due(i).time, until);
            due.insert({bounds.due(i).a, bounds.due(i).b});
        }
        swarm.steer(frame);
        for (int k = 0; k <= 16; ++k) {
            for (const auto& pair : swarm.touching(frame_time * k / 16)) {
                ++tally->contacts;
                ASSERT_TRUE(due.count(pair))
                    << "seed " << seed << " frame " << frame << " pair " << pair.first << " " << pair.second
                    << " touches at " << k << "/16 of the frame";
                ASSERT_LE(bounds.quiet_until(), now + frame_time * k / 16)
                    << "seed " << seed << " frame " << frame;
            }
        }
        tally->due += due.size();
        tally->examined += bounds.examined();
        tally->near += bounds.pair_count();
        swarm.move(frame_time);
    }
}

TEST(SpaceTimeBounds, MissesNoContactOfObjectsThatUseTheirLimitToTheFull) {
    Tally tally;
    for (std::uint64_t seed = 1; seed <= 6; ++seed)
        ASSERT_NO_FATAL_FAILURE(run_swarm(seed, false, 0.02, &tally));
    EXPECT_GT(tally.contacts, 1000u);
    EXPECT_LT(tally.examined, tally.near / 2) << "most pairs wait for their time";
    RecordProperty("contacts", static_cast<int>(tally.contacts));
}

TEST(SpaceTimeBounds, MissesNoContactAfterBouncesAndInLongFrames) {
    Tally tally;
    for (std::uint64_t seed = 11; seed <= 16; ++seed)
        ASSERT_NO_FATAL_FAILURE(run_swarm(seed, true, seed % 2 == 0 ? 0.05 : 0.7, &tally));
    EXPECT_GT(tally.contacts, 1000u);
}

TEST(SpaceTimeBounds, NoticesChangedLimitsAndRadii) {
    const std::uint32_t n = 2;
    CallerMemory memory(SpaceTimeBounds::memory_size(n, 4));
    SpaceTimeBounds bounds;
    ASSERT_EQ(bounds.begin(memory.data(), memory.size(), n, 4, 1.0), Status::kOk);
    const Motion still = motion({0, 0, 0}, {0, 0, 0}, 1, 0);
    ASSERT_EQ(bounds.set(0, 0, still), Status::kOk);
    ASSERT_EQ(bounds.set(1, 0, motion({10, 0, 0}, {0, 0, 0}, 1, 0)), Status::kOk);
    ASSERT_EQ(bounds.advance(0.1), Status::kOk);
    EXPECT_EQ(bounds.due_count(), 0u);
    ASSERT_EQ(bounds.set(1, 0.1, motion({10, 0, 0}, {0, 0, 0}, 9, 0)), Status::kOk);
    ASSERT_EQ(bounds.advance(0.2), Status::kOk);
    EXPECT_EQ(bounds.due_count(), 1u) << "a grown radius";
    ASSERT_EQ(bounds.set(1, 0.2, motion({10, 0, 0}, {0, 0, 0}, 1, 0)), Status::kOk);
    ASSERT_EQ(bounds.advance(0.3), Status::kOk);
    ASSERT_EQ(bounds.set(1, 0.3, motion({10, 0, 0}, {0, 0, 0}, 1, 5000)), Status::kOk);
    ASSERT_EQ(bounds.advance(0.4), Status::kOk);
    EXPECT_EQ(bounds.due_count(), 1u) << "a raised limit";
    ASSERT_EQ(bounds.remove(1), Status::kOk);
    ASSERT_EQ(bounds.advance(0.5), Status::kOk);
    EXPECT_EQ(bounds.due_count(), 0u);
}

TEST(SpaceTimeBounds, TellsWhenPairsDoNotFit) {
    const std::uint32_t n = 8, capacity = 5;
    CallerMemory memory(SpaceTimeBounds::memory_size(n, capacity));
    SpaceTimeBounds bounds;
    ASSERT_EQ(bounds.begin(memory.data(), memory.size(), n, capacity, 1.0), Status::kOk);
    for (std::uint32_t i = 0; i < n; ++i)
        ASSERT_EQ(bounds.set(i, 0, motion({0.1 * i, 0, 0}, {0, 0, 0}, 1, 0)), Status::kOk);
    EXPECT_EQ(bounds.advance(0.1), Status::kBufferFull);
    EXPECT_EQ(bounds.due_count(), capacity);
    EXPECT_EQ(bounds.quiet_until(), -kInfinity);
    for (std::uint32_t i = 3; i < n; ++i) ASSERT_EQ(bounds.remove(i), Status::kOk);
    EXPECT_EQ(bounds.advance(0.2), Status::kOk);
    EXPECT_EQ(bounds.due_count(), 3u);
}

TEST(SpaceTimeBounds, RefusesValuesOutOfRange) {
    CallerMemory memory(SpaceTimeBounds::memory_size(2, 2));
    SpaceTimeBounds bounds;
    EXPECT_EQ(bounds.advance(1), Status::kInvalidArgument);
    EXPECT_EQ(bounds.begin(memory.data(), memory.size(), 2, 2, 0), Status::kInvalidArgument);
    EXPECT_EQ(bounds.begin(memory.data(), memory.size() - 1, 2, 2, 1), Status::kInvalidArgument);
    ASSERT_EQ(bounds.begin(memory.data(), memory.size(), 2, 2, 1), Status::kOk);
    const Motion good = motion({0, 0, 0}, {0, 0, 0}, 1, 0);
    EXPECT_EQ(bounds.set(2, 0, good), Status::kInvalidArgument);
    EXPECT_EQ(bounds.set(0, std::nan(""), good), Status::kInvalidArgument);
    EXPECT_EQ(bounds.set(0, 0, motion({0, 0, 0}, {0, 0, 0}, -1, 0)), Status::kInvalidArgument);
    EXPECT_EQ(bounds.set(0, 0, motion({kInfinity, 0, 0}, {0, 0, 0}, 1, 0)), Status::kInvalidArgument);
    EXPECT_EQ(bounds.set(0, 0, motion({0, 0, 0}, {0, 0, 0}, 1, -1)), Status::kInvalidArgument);
    ASSERT_EQ(bounds.set(0, 1, good), Status::kOk);
    EXPECT_EQ(bounds.set(0, 0.5, good), Status::kInvalidArgument) << "time goes back";
    EXPECT_EQ(bounds.advance(kInfinity), Status::kInvalidArgument);
}

}  // namespace
}  // namespace espalier
