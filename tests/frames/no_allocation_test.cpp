// SPDX-License-Identifier: GPL-3.0-or-later
// Frames run without the heap: every call of the allocator during them ends the program.
#include <gtest/gtest.h>

#include <cstdlib>

#include "espalier/broad_phase.h"
#include "tests/frames/broad_memory.h"
#include "tests/frames/trap_allocation.h"
#include "tests/support/draw.h"

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

}  // namespace
}  // namespace espalier
