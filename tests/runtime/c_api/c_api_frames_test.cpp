// SPDX-License-Identifier: GPL-3.0-or-later
// Broad phase, scheduler and governor through the C header.
#include <gtest/gtest.h>

#include <vector>

#include "espalier/espalier.h"
#include "tests/runtime/c_api/golden_part.h"
#include "tests/runtime/frames/broad_memory.h"

namespace espalier {
namespace {

using testing::CallerMemory;

TEST(CFrames, SweepAndPruneFindsAPairAndTellsOfOverflow) {
    CallerMemory memory(espalier_sweep_memory_size(3, 1));
    espalier_sweep sweep;
    ASSERT_EQ(espalier_sweep_begin(&sweep, memory.data(), memory.size(), 3, 1), ESPALIER_STATUS_OK);
    const espalier_broad_box near{{0, 0, 0}, {1, 1, 1}}, far{{5, 0, 0}, {6, 1, 1}};
    EXPECT_EQ(espalier_sweep_set(&sweep, 0, &near), ESPALIER_STATUS_OK);
    EXPECT_EQ(espalier_sweep_set(&sweep, 1, &near), ESPALIER_STATUS_OK);
    EXPECT_EQ(espalier_sweep_set(&sweep, 2, &far), ESPALIER_STATUS_OK);
    EXPECT_EQ(espalier_sweep_update(&sweep), ESPALIER_STATUS_OK);
    ASSERT_EQ(espalier_sweep_pair_count(&sweep), 1u);
    EXPECT_EQ(espalier_sweep_pair(&sweep, 0).a, 0u);
    EXPECT_EQ(espalier_sweep_pair(&sweep, 0).b, 1u);
    EXPECT_NE(espalier_sweep_contains(&sweep, 2), 0);
    EXPECT_EQ(espalier_sweep_box(&sweep, 2).lo[0], 5);
    EXPECT_EQ(espalier_sweep_update(&sweep), ESPALIER_STATUS_OK);
    EXPECT_EQ(espalier_sweep_moves(&sweep), 0u);
    EXPECT_EQ(espalier_sweep_rebuilt(&sweep), 0);
    EXPECT_EQ(espalier_sweep_set(&sweep, 2, &near), ESPALIER_STATUS_OK);
    EXPECT_EQ(espalier_sweep_update(&sweep), ESPALIER_STATUS_BUFFER_FULL);
    EXPECT_EQ(espalier_sweep_pair_total(&sweep), 3u);
    EXPECT_EQ(espalier_sweep_remove(&sweep, 1), ESPALIER_STATUS_OK);
    EXPECT_EQ(espalier_sweep_update(&sweep), ESPALIER_STATUS_OK);
    EXPECT_EQ(espalier_sweep_contains(&sweep, 1), 0);
    EXPECT_EQ(espalier_sweep_set(&sweep, 3, &near), ESPALIER_STATUS_INVALID_ARGUMENT);
}

TEST(CFrames, SpaceTimeBoundsTellWhoIsDue) {
    CallerMemory memory(espalier_space_time_memory_size(2, 2));
    espalier_space_time bounds;
    ASSERT_EQ(espalier_space_time_begin(&bounds, memory.data(), memory.size(), 2, 2, 10), ESPALIER_STATUS_OK);
    const espalier_motion a{{0, 0, 0}, {0, 0, 0}, 1, 0}, b{{4, 0, 0}, {-1, 0, 0}, 1, 0};
    EXPECT_NEAR(espalier_earliest_contact(&a, &b, 100), 2, 1e-5);
    EXPECT_LE(espalier_reach_box(&b, 1).lo[0], 2);
    EXPECT_EQ(espalier_space_time_set(&bounds, 0, 0, &a), ESPALIER_STATUS_OK);
    EXPECT_EQ(espalier_space_time_set(&bounds, 1, 0, &b), ESPALIER_STATUS_OK);
    EXPECT_EQ(espalier_space_time_advance(&bounds, 1), ESPALIER_STATUS_OK);
    EXPECT_EQ(espalier_space_time_due_count(&bounds), 0u);
    EXPECT_NEAR(espalier_space_time_quiet_until(&bounds), 2, 1e-5);
    EXPECT_EQ(espalier_space_time_advance(&bounds, 2.5), ESPALIER_STATUS_OK);
    ASSERT_EQ(espalier_space_time_due_count(&bounds), 1u);
    EXPECT_EQ(espalier_space_time_pair_count(&bounds), 1u);
    EXPECT_EQ(espalier_space_time_examined(&bounds), 1u);
    EXPECT_EQ(espalier_space_time_renewed(&bounds), 0u);
    EXPECT_NEAR(espalier_space_time_due(&bounds, 0).time, 2, 1e-5);
    EXPECT_EQ(espalier_space_time_remove(&bounds, 1), ESPALIER_STATUS_OK);
}

struct Countdown {
    std::uint64_t spent = 0;
};

TEST(CFrames, SchedulerAndGovernorShareAFrame) {
    espalier_pair_ops ops{};
    ops.start = [](void* query, uint32_t, uint32_t, int, void*) -> espalier_status {
        static_cast<Countdown*>(query)->spent = 0;
        return ESPALIER_STATUS_OK;
    };
    ops.step = [](void* query, const espalier_budget* budget, void*) {
        auto* q = static_cast<Countdown*>(query);
        for (std::uint64_t used = 0; q->spent < 1000 && used < budget->node_tests; ++used, ++q->spent)
            if (budget->expired && budget->expired(budget->user)) break;
        return espalier_pair_progress{q->spent == 1000 ? ESPALIER_COLLIDING : ESPALIER_UNRESOLVED,
                                      q->spent == 1000 ? 1u : 0u, 0, 1, q->spent};
    };
    ops.level = [](const void* query, void*) -> uint32_t {
        return static_cast<const Countdown*>(query)->spent >= 10 ? 1 : 0;
    };
    std::vector<Countdown> queries(4);
    CallerMemory memory(espalier_scheduler_memory_size(4));
    espalier_scheduler scheduler;
    ASSERT_EQ(espalier_scheduler_begin(&scheduler, memory.data(), memory.size(), 4, queries.data(),
                                       sizeof(Countdown), &ops),
              ESPALIER_STATUS_OK);
    std::uint64_t time = 0;
    espalier_governor governor;
    const espalier_governor_options options = espalier_governor_options_default(500);
    const auto now = [](void* user) -> uint64_t { return ++*static_cast<std::uint64_t*>(user); };
    ASSERT_EQ(espalier_governor_begin(&governor, &options, now, &time), ESPALIER_STATUS_OK);

    espalier_governor_start_frame(&governor);
    espalier_scheduler_start_frame(&scheduler);
    EXPECT_EQ(espalier_scheduler_want(&scheduler, 2, 1, 1), ESPALIER_STATUS_OK);
    EXPECT_EQ(espalier_scheduler_want(&scheduler, 1, 3, 1), ESPALIER_STATUS_OK);
    const espalier_budget budget = espalier_governor_start_detection(&governor, ESPALIER_UNLIMITED);
    espalier_schedule_report report = espalier_scheduler_run(&scheduler, &budget, nullptr);
    EXPECT_EQ(report.end, ESPALIER_SCHEDULE_CLOCK);
    EXPECT_EQ(espalier_governor_predicted_rest(&governor), 0u);
    EXPECT_LT(espalier_governor_remaining(&governor), 8u);
    espalier_governor_end_detection(&governor);
    const espalier_frame_report frame = espalier_governor_end_frame(&governor);
    EXPECT_NEAR(double(frame.frame), 500, 8);
    ASSERT_EQ(espalier_scheduler_pair_count(&scheduler), 2u);
    EXPECT_EQ(espalier_scheduler_pair(&scheduler, 0).progress.verdict, ESPALIER_UNRESOLVED);

    report = espalier_scheduler_run(&scheduler, nullptr, nullptr);
    EXPECT_EQ(report.end, ESPALIER_SCHEDULE_ALL_DONE);
    EXPECT_EQ(report.done, 2u);
    for (uint32_t i = 0; i < 2; ++i) {
        const espalier_scheduled_pair pair = espalier_scheduler_pair(&scheduler, i);
        EXPECT_EQ(pair.progress.verdict, ESPALIER_COLLIDING);
        EXPECT_EQ(static_cast<Countdown*>(pair.query)->spent, 1000u);
        EXPECT_LT(pair.a, pair.b);
        EXPECT_EQ(pair.weight, 1u);
        EXPECT_NE(pair.started, 0u);
        EXPECT_EQ(pair.again, 0u);
        uint32_t index = 7;
        EXPECT_NE(espalier_scheduler_find(&scheduler, pair.a, pair.b, &index), 0);
        EXPECT_EQ(index, i);
    }
    uint32_t index;
    EXPECT_EQ(espalier_scheduler_find(&scheduler, 2, 3, &index), 0);
}

/// Starts pair (a, b) with B shifted by b - 1.
espalier_status start_sphere_query(void* query, uint32_t, uint32_t b, int, void* user) {
    const auto* gear = static_cast<const testing::GoldenPart*>(user);
    espalier_pose pose = espalier_pose_identity();
    pose.translation[0] = double(b) - 1;
    const espalier_sphere_options options = espalier_sphere_options_default();
    return espalier_sphere_begin(static_cast<espalier_query*>(query), gear->c_part(), gear->c_part(), &pose,
                                 &options);
}

TEST(CFrames, TheSchedulerRefinesQueriesOfTheHeaderItself) {
    testing::GoldenPart gear("gear");
    std::vector<espalier_query> queries(3);
    CallerMemory memory(espalier_scheduler_memory_size(3));
    espalier_scheduler scheduler;
    const espalier_pair_ops ops = espalier_query_pair_ops(&start_sphere_query, &gear);
    ASSERT_EQ(espalier_scheduler_begin(&scheduler, memory.data(), memory.size(), 3, queries.data(),
                                       sizeof(espalier_query), &ops),
              ESPALIER_STATUS_OK);
    espalier_scheduler_start_frame(&scheduler);
    for (uint32_t b = 1; b <= 3; ++b)
        EXPECT_EQ(espalier_scheduler_want(&scheduler, 0, b, 1), ESPALIER_STATUS_OK);
    espalier_schedule_options options = espalier_schedule_options_default();
    EXPECT_EQ(options.slice, 64u);
    EXPECT_EQ(options.least_level, 1u);
    options.slice = 16;
    EXPECT_EQ(espalier_scheduler_run(&scheduler, nullptr, &options).end, ESPALIER_SCHEDULE_ALL_DONE);
    for (uint32_t i = 0; i < 3; ++i) {
        const espalier_scheduled_pair pair = espalier_scheduler_pair(&scheduler, i);
        const auto* query = static_cast<const espalier_query*>(pair.query);
        EXPECT_EQ(pair.progress.upper, espalier_distance_result(query).upper);
        EXPECT_EQ(pair.progress.verdict, espalier_verdict(query));
        EXPECT_NE(pair.progress.done, 0u);
        EXPECT_EQ(pair.progress.verdict == ESPALIER_COLLIDING, pair.progress.upper == 0);
    }
}

}  // namespace
}  // namespace espalier
