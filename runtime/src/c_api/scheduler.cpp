// SPDX-License-Identifier: MIT
// The scheduler.
#include "espalier/scheduler.h"

#include "object.h"
#include "query_kind.h"

using namespace espalier::c_api;
using espalier::Budget;
using espalier::PairProgress;
using espalier::PairQueryOps;
using espalier::ScheduleOptions;
using espalier::Scheduler;
using espalier::Status;
using espalier::Verdict;

namespace {

/// A scheduler with the C functions that it calls.
struct CScheduler {
    Scheduler scheduler;
    espalier_pair_ops ops;
};

const espalier_pair_ops& ops_of(void* user) {
    return static_cast<CScheduler*>(user)->ops;
}

Status start_pair(void* query, std::uint32_t a, std::uint32_t b, bool again, void* user) {
    const espalier_pair_ops& ops = ops_of(user);
    return static_cast<Status>(ops.start(query, a, b, again ? 1 : 0, ops.user));
}

PairProgress step_pair(void* query, const Budget& budget, void* user) {
    const espalier_pair_ops& ops = ops_of(user);
    Budget copy = budget;
    const espalier_budget limits = budget_to_c(&copy);
    const espalier_pair_progress c = ops.step(query, &limits, ops.user);
    PairProgress progress;
    progress.verdict = static_cast<Verdict>(c.verdict);
    progress.done = c.done != 0;
    progress.lower = c.lower;
    progress.upper = c.upper;
    progress.node_tests = c.node_tests;
    return progress;
}

std::uint32_t level_of_pair(const void* query, void* user) {
    const espalier_pair_ops& ops = ops_of(user);
    return ops.level(query, ops.user);
}

espalier_pair_progress progress_to_c(const PairProgress& progress) {
    return {static_cast<uint32_t>(progress.verdict), progress.done ? 1u : 0u, progress.lower, progress.upper,
            progress.node_tests};
}

/// Operations on an espalier_query with bounds.
espalier_pair_progress step_query(void* memory, const espalier_budget* budget, void*) {
    auto* query = static_cast<espalier_query*>(memory);
    BudgetOf limits(budget);
    const Verdict verdict = kind_of(query)->step(memory_of(query), limits.limits());
    espalier_distance result{};
    kind_of(query)->result(memory_of(query), &result);
    return {static_cast<uint32_t>(verdict), result.done, result.lower, result.upper,
            kind_of(query)->counters(memory_of(query)).node_tests};
}

uint32_t level_of_query(const void* memory, void*) {
    const auto* query = static_cast<const espalier_query*>(memory);
    return kind_of(query)->level(memory_of(query));
}

}  // namespace

extern "C" {

size_t espalier_scheduler_memory_size(uint32_t max_pairs) {
    return Scheduler::memory_size(max_pairs);
}

espalier_status espalier_scheduler_begin(espalier_scheduler* scheduler, void* memory, size_t size,
                                         uint32_t max_pairs, void* queries, size_t stride,
                                         const espalier_pair_ops* ops) {
    if (!scheduler || !ops || !ops->start || !ops->step || !ops->level) return code(Status::kInvalidArgument);
    auto* own = made<CScheduler>(scheduler);
    own->ops = *ops;
    PairQueryOps adapted;
    adapted.start = &start_pair;
    adapted.step = &step_pair;
    adapted.level = &level_of_pair;
    adapted.user = own;
    return code(own->scheduler.begin(memory, size, max_pairs, queries, stride, adapted));
}

void espalier_scheduler_start_frame(espalier_scheduler* scheduler) {
    inside<CScheduler>(scheduler)->scheduler.start_frame();
}

espalier_status espalier_scheduler_want(espalier_scheduler* scheduler, uint32_t a, uint32_t b,
                                        uint32_t weight) {
    return code(inside<CScheduler>(scheduler)->scheduler.want(a, b, weight));
}

espalier_schedule_options espalier_schedule_options_default(void) {
    return to_c<espalier_schedule_options>(ScheduleOptions());
}

espalier_schedule_report espalier_scheduler_run(espalier_scheduler* scheduler, const espalier_budget* budget,
                                                const espalier_schedule_options* options) {
    BudgetOf limits(budget);
    const ScheduleOptions how = options ? from_c<ScheduleOptions>(options) : ScheduleOptions();
    const espalier::ScheduleReport report =
        inside<CScheduler>(scheduler)->scheduler.run(limits.limits(), how);
    return {static_cast<uint32_t>(report.end), report.done, report.node_tests, report.slices};
}

uint32_t espalier_scheduler_pair_count(const espalier_scheduler* scheduler) {
    return inside<CScheduler>(scheduler)->scheduler.pair_count();
}

espalier_scheduled_pair espalier_scheduler_pair(const espalier_scheduler* scheduler, uint32_t index) {
    const Scheduler& own = inside<CScheduler>(scheduler)->scheduler;
    const espalier::ScheduledPair& pair = own.pair(index);
    return {pair.a,
            pair.b,
            pair.weight,
            pair.slot,
            pair.started ? 1u : 0u,
            pair.again ? 1u : 0u,
            code(pair.status),
            progress_to_c(pair.progress),
            own.query(index)};
}

int espalier_scheduler_find(const espalier_scheduler* scheduler, uint32_t a, uint32_t b, uint32_t* index) {
    return inside<CScheduler>(scheduler)->scheduler.find(a, b, index) ? 1 : 0;
}

espalier_pair_ops espalier_query_pair_ops(espalier_status (*start)(void* query, uint32_t a, uint32_t b,
                                                                   int again, void* user),
                                          void* user) {
    return {start, &step_query, &level_of_query, user};
}

}  // extern "C"
