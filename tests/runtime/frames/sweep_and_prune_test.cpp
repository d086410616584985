// SPDX-License-Identifier: GPL-3.0-or-later
// Sweep and prune against brute force over all pairs of boxes, frame after frame.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "espalier/broad_phase.h"
#include "tests/runtime/frames/broad_memory.h"
#include "tests/support/draw.h"

namespace espalier {
namespace {

using testing::CallerMemory;
using testing::Draw;
using testing::PairSet;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A sweep and prune beside the plain truth.
class World {
  public:
    World(std::uint32_t objects, std::uint32_t pairs)
        : memory_(SweepAndPrune::memory_size(objects, pairs)), boxes_(objects), present_(objects, false) {
        EXPECT_EQ(sweep.begin(memory_.data(), memory_.size(), objects, pairs), Status::kOk);
    }

    void set(std::uint32_t id, const BroadBox& box) {
        ASSERT_EQ(sweep.set(id, box), Status::kOk);
        boxes_[id] = box;
        present_[id] = true;
    }
    void remove(std::uint32_t id) {
        ASSERT_EQ(sweep.remove(id), Status::kOk);
        present_[id] = false;
    }
    bool present(std::uint32_t id) const { return present_[id]; }

    PairSet truth() const {
        PairSet pairs;
        for (std::uint32_t a = 0; a < boxes_.size(); ++a)
            for (std::uint32_t b = a + 1; b < boxes_.size(); ++b)
                if (present_[a] && present_[b] && overlap(boxes_[a], boxes_[b])) pairs.insert({a, b});
        return pairs;
    }
    PairSet found() const {
        PairSet pairs;
        for (std::uint32_t i = 0; i < sweep.pair_count(); ++i)
            EXPECT_TRUE(pairs.insert({sweep.pair(i).a, sweep.pair(i).b}).second) << "a pair twice";
        return pairs;
    }

    SweepAndPrune sweep;

  private:
    static bool overlap(const BroadBox& a, const BroadBox& b) {
        for (int k = 0; k < 3; ++k)
            if (a.lo[k] > b.hi[k] || b.lo[k] > a.hi[k]) return false;
        return true;
    }
    CallerMemory memory_;
    std::vector<BroadBox> boxes_;
    std::vector<bool> present_;
};

BroadBox box_at(const Eigen::Vector3d& centre, double half) {
    BroadBox box;
    for (int k = 0; k < 3; ++k) {
        box.lo[k] = centre[k] - half;
        box.hi[k] = centre[k] + half;
    }
    return box;
}

TEST(SweepAndPrune, FindsEveryPairOfDriftingBoxesAndNoOther) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        Draw draw(seed);
        const std::uint32_t n = 80;
        World world(n, n * n);
        std::vector<Eigen::Vector3d> at(n), velocity(n);
        for (std::uint32_t i = 0; i < n; ++i) {
            at[i] = 3 * draw.in_cube();
            velocity[i] = 0.02 * draw.in_cube();
        }
        std::uint32_t incremental = 0;
        for (int frame = 0; frame < 100; ++frame) {
            for (std::uint32_t i = 0; i < n; ++i) {
                at[i] += velocity[i];
                world.set(i, box_at(at[i], 0.2 + 0.1 * (i % 5)));
            }
            ASSERT_EQ(world.sweep.update(), Status::kOk);
            ASSERT_EQ(world.found(), world.truth()) << "seed " << seed << " frame " << frame;
            incremental += world.sweep.rebuilt() ? 0 : 1;
        }
        EXPECT_EQ(incremental, 99u) << "slow motion is followed, not sorted anew";
    }
}

TEST(SweepAndPrune, SurvivesTeleportsAppearancesAndRemovals) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        Draw draw(seed);
        const std::uint32_t n = 60;
        World world(n, n * n);
        for (int frame = 0; frame < 120; ++frame) {
            const int changes = static_cast<int>(draw.below(frame % 7 == 0 ? 60 : 4));
            for (int c = 0; c < changes; ++c) {
                const auto id = static_cast<std::uint32_t>(draw.below(n));
                if (world.present(id) && draw.below(3) == 0) {
                    world.remove(id);
                    if (draw.coin())
                        world.set(id, box_at(2 * draw.in_cube(), 0.4));  // back before the update
                } else {
                    world.set(id, box_at(2 * draw.in_cube(), draw.between(0, 0.8)));
                }
            }
            ASSERT_EQ(world.sweep.update(), Status::kOk);
            ASSERT_EQ(world.found(), world.truth()) << "seed " << seed << " frame " << frame;
        }
    }
}

TEST(SweepAndPrune, CountsTouchingEqualAndInfiniteBoxesAsOverlapping) {
    Draw draw(3);
    const std::uint32_t n = 40;
    World world(n, n * n);
    for (int frame = 0; frame < 60; ++frame) {
        for (std::uint32_t i = 0; i < n; ++i) {
            BroadBox box;
            for (int k = 0; k < 3; ++k) {  // small integers: ties everywhere
                box.lo[k] = static_cast<double>(draw.below(6));
                box.hi[k] = box.lo[k] + static_cast<double>(draw.below(3));
            }
            if (i == 7) box.lo[1] = -kInfinity;
            if (i == 8) box.hi[0] = box.hi[1] = box.hi[2] = kInfinity;
            world.set(i, box);
        }
        ASSERT_EQ(world.sweep.update(), Status::kOk);
        ASSERT_EQ(world.found(), world.truth()) << "frame " << frame;
    }
}

TEST(SweepAndPrune, TellsHowManyPairsDidNotFitAndRecovers) {
    const std::uint32_t n = 12, capacity = 10;
    World world(n, capacity);
    for (int frame = 0; frame < 40; ++frame) {
        // All come together, then part again: by small moves and by large ones.
        const double spread = frame % 20 < 10 ? 1.5 - 0.15 * (frame % 20) : 0.15 * (frame % 20 - 9);
        for (std::uint32_t i = 0; i < n; ++i) world.set(i, box_at(Eigen::Vector3d(spread * i, 0, 0), 0.5));
        const Status status = world.sweep.update();
        const PairSet truth = world.truth(), found = world.found();
        EXPECT_EQ(status, truth.size() > capacity ? Status::kBufferFull : Status::kOk) << "frame " << frame;
        EXPECT_EQ(world.sweep.pair_total(), truth.size()) << "frame " << frame;
        EXPECT_EQ(found.size(), std::min<std::size_t>(capacity, truth.size())) << "frame " << frame;
        for (const auto& pair : found) EXPECT_TRUE(truth.count(pair)) << "frame " << frame;
    }
}

TEST(SweepAndPrune, RefusesWhatIsNotABoxAndMemoryThatIsTooSmall) {
    World world(4, 4);
    BroadBox box;
    EXPECT_EQ(world.sweep.set(4, box), Status::kInvalidArgument);
    box.lo[1] = 1;
    EXPECT_EQ(world.sweep.set(0, box), Status::kInvalidArgument);
    box.lo[1] = std::nan("");
    EXPECT_EQ(world.sweep.set(0, box), Status::kInvalidArgument);
    EXPECT_EQ(world.sweep.remove(0), Status::kInvalidArgument);
    EXPECT_EQ(world.sweep.update(), Status::kOk);

    const std::size_t size = SweepAndPrune::memory_size(4, 4);
    CallerMemory memory(size);
    SweepAndPrune sweep;
    EXPECT_EQ(sweep.update(), Status::kInvalidArgument);
    EXPECT_EQ(sweep.begin(memory.data(), size - 1, 4, 4), Status::kInvalidArgument);
    EXPECT_EQ(sweep.begin(nullptr, size, 4, 4), Status::kInvalidArgument);
    EXPECT_EQ(sweep.begin(static_cast<char*>(memory.data()) + 8, size, 4, 4), Status::kInvalidArgument);
    EXPECT_EQ(sweep.begin(memory.data(), size, 0, 4), Status::kInvalidArgument);
    EXPECT_EQ(SweepAndPrune::memory_size(SweepAndPrune::kMaxObjects + 1, 4), 0u);
}

TEST(SweepAndPrune, NeedsTheMemoryThatItsHeaderStates) {
    for (const std::uint32_t n : {1u, 100u, 5000u})
        for (const std::uint32_t pairs : {1u, 300u, 100000u})
            EXPECT_LE(SweepAndPrune::memory_size(n, pairs), 160u * n + 32u * pairs + 200u)
                << n << " " << pairs;
}

}  // namespace
}  // namespace espalier
