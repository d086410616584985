// SPDX-License-Identifier: GPL-3.0-or-later
// Frames run without the heap: every call of the allocator during them ends the program.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

#include "corpus/registry.h"
#include "espalier/broad_phase.h"
#include "espalier/frame_governor.h"
#include "espalier/scheduler.h"
#include "espalier/sphere_query.h"
#include "tests/runtime/frames/broad_memory.h"
#include "tests/runtime/frames/trap_allocation.h"
#include "tests/support/baked_mesh.h"
#include "tests/support/draw.h"
#include "tests/support/sphere_asset.h"

namespace espalier {
namespace {

using testing::AllocationTrap;
using testing::CallerMemory;
using testing::Draw;

TEST(AllocationTrapDeathTest, EndsAProgramThatAllocates) {
    EXPECT_DEATH(
        {
            AllocationTrap trap;
            void* volatile memory = std::malloc(1);
            std::free(memory);
        },
        "malloc was called");
    EXPECT_DEATH(
        {
            AllocationTrap trap;
            int* volatile number = new int;
            delete number;
        },
        "operator new was called");
}

TEST(BroadPhase, DoesNotAllocate) {
    const std::uint32_t n = 50;
    CallerMemory sweep_memory(SweepAndPrune::memory_size(n, 100)),
        memory(SpaceTimeBounds::memory_size(n, 100));
    SweepAndPrune sweep;
    SpaceTimeBounds bounds;
    Draw draw(1);
    bool overflowed = false, fitted = false;
    {
        AllocationTrap trap;
        sweep.begin(sweep_memory.data(), sweep_memory.size(), n, 100);
        bounds.begin(memory.data(), memory.size(), n, 100, 1);
        for (int frame = 0; frame < 50; ++frame) {
            for (std::uint32_t i = 0; i < n; ++i) {
                Motion m;
                m.radius = frame % 10 == 0 ? 0.6 : 0.1;
                m.max_acceleration = 0.5;
                for (int k = 0; k < 3; ++k) m.position[k] = 3 * draw.unit();
                sweep.set(i, reach_box(m, 0.5));
                bounds.set(i, frame, m);
            }
            const Status status = sweep.update();
            overflowed = overflowed || status == Status::kBufferFull;
            fitted = fitted || status == Status::kOk;
            bounds.advance(frame + 0.5);
        }
    }
    EXPECT_TRUE(overflowed && fitted);
}

struct Pairs {
    ShapeView part;
    double shift = 0;
};

Status start_query(void* memory, std::uint32_t a, std::uint32_t b, bool again, void* user) {
    const Pairs& pairs = *static_cast<Pairs*>(user);
    auto* query = static_cast<SphereQuery<64>*>(memory);
    Pose pose;
    pose.translation[0] = pairs.shift * (b - a);
    SphereQueryOptions options;
    options.skin = 0.1;
    return again ? query->advance(pose) : query->begin(pairs.part, pairs.part, pose, options);
}

TEST(Frame, OfSphereQueriesUnderSchedulerAndGovernorDoesNotAllocate) {
    const testing::ExactBytes bytes(testing::sphere_asset(corpus::find_corpus_mesh("torus")->make_near(500)));
    Asset asset;
    Pairs pairs;
    ASSERT_EQ(open(bytes.data(), bytes.size(), Verify::kFull, &asset), Status::kOk);
    ASSERT_EQ(asset.part(0, &pairs.part), Status::kOk);
    CallerMemory memory(Scheduler::memory_size(8));
    const auto queries = std::make_unique<SphereQuery<64>[]>(8);
    Scheduler scheduler;
    FrameGovernor governor;
    GovernorOptions options;
    options.target = 2000;
    std::uint64_t ticks = 0, tests = 0;
    {
        AllocationTrap trap;
        scheduler.begin(memory.data(), memory.size(), 8, queries.get(), sizeof(SphereQuery<64>),
                        pair_query_ops<SphereQuery<64>>(&start_query, &pairs));
        governor.begin(
            options, [](void* user) { return ++*static_cast<std::uint64_t*>(user); }, &ticks);
        for (int frame = 0; frame < 20; ++frame) {
            governor.start_frame();
            scheduler.start_frame();
            pairs.shift = 0.2 + 0.05 * frame;
            for (std::uint32_t i = 0; i < 8; ++i) scheduler.want(i, i + 1 + i % 3);
            tests += scheduler.run(governor.start_detection()).node_tests;
            governor.end_detection();
            governor.end_frame();
        }
    }
    EXPECT_GT(tests, 1000u);
}

}  // namespace
}  // namespace espalier
