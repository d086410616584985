// SPDX-License-Identifier: MIT
// The C header over broad phase, scheduler and governor.
#include <cstddef>
#include <cstring>
#include <new>

#include "espalier/broad_phase.h"
#include "espalier/espalier.h"
#include "espalier/frame_governor.h"
#include "espalier/scheduler.h"

namespace {

using espalier::BroadBox;
using espalier::BroadPair;
using espalier::Budget;
using espalier::FrameGovernor;
using espalier::FrameReport;
using espalier::GovernorOptions;
using espalier::Motion;
using espalier::PairProgress;
using espalier::PairQueryOps;
using espalier::ScheduleOptions;
using espalier::Scheduler;
using espalier::SpaceTimeBounds;
using espalier::Status;
using espalier::SweepAndPrune;
using espalier::Verdict;

/// A scheduler with the C functions that it calls.
struct CScheduler {
    Scheduler scheduler;
    espalier_pair_ops ops;
};

/// A governor with the budget that C sees.
struct CGovernor {
    FrameGovernor governor;
    Budget budget;
};

static_assert(sizeof(SweepAndPrune) <= sizeof(espalier_sweep) &&
                  alignof(SweepAndPrune) <= alignof(espalier_sweep) &&
                  sizeof(SpaceTimeBounds) <= sizeof(espalier_space_time) &&
                  sizeof(CScheduler) <= sizeof(espalier_scheduler) &&
                  sizeof(CGovernor) <= sizeof(espalier_governor),
              "enlarge the C object");
static_assert(sizeof(BroadBox) == sizeof(espalier_broad_box) &&
                  sizeof(BroadPair) == sizeof(espalier_broad_pair) &&
                  sizeof(Motion) == sizeof(espalier_motion) &&
                  sizeof(GovernorOptions) == sizeof(espalier_governor_options) &&
                  sizeof(FrameReport) == sizeof(espalier_frame_report),
              "the C structs mirror the C++ ones");

espalier_status code(Status status) {
    return static_cast<espalier_status>(status);
}

template <class To, class From>
To copied(const From& from) {
    To to;
    static_assert(sizeof(To) == sizeof(From), "mirrored");
    std::memcpy(static_cast<void*>(&to), static_cast<const void*>(&from), sizeof(To));
    return to;
}

template <class Cpp, class C>
Cpp* made(C* object) {
    return new (static_cast<void*>(object)) Cpp;
}
template <class Cpp, class C>
Cpp* inside(C* object) {
    return std::launder(reinterpret_cast<Cpp*>(object));
}
template <class Cpp, class C>
const Cpp* inside(const C* object) {
    return std::launder(reinterpret_cast<const Cpp*>(object));
}

int cpp_expired(void* budget) {
    const Budget& b = *static_cast<const Budget*>(budget);
    return b.expired(b.user) ? 1 : 0;
}

bool c_expired(void* budget) {
    const espalier_budget& b = *static_cast<const espalier_budget*>(budget);
    return b.expired(b.user) != 0;
}

Status start(void* query, std::uint32_t a, std::uint32_t b, bool again, void* user) {
    const espalier_pair_ops& ops = static_cast<CScheduler*>(user)->ops;
    return static_cast<Status>(ops.start(query, a, b, again ? 1 : 0, ops.user));
}

PairProgress step(void* query, const Budget& budget, void* user) {
    const espalier_pair_ops& ops = static_cast<CScheduler*>(user)->ops;
    Budget copy = budget;
    // In C no node tests mean no limit; the scheduler never asks for a step without any.
    espalier_budget limits{budget.node_tests == Budget::kUnlimited ? 0 : budget.node_tests,
                           budget.expired ? &cpp_expired : nullptr, &copy};
    const espalier_pair_progress c = ops.step(query, &limits, ops.user);
    PairProgress progress;
    progress.verdict = static_cast<Verdict>(c.verdict);
    progress.done = c.done != 0;
    progress.lower = c.lower;
    progress.upper = c.upper;
    progress.node_tests = c.node_tests;
    return progress;
}

std::uint32_t level(const void* query, void* user) {
    const espalier_pair_ops& ops = static_cast<CScheduler*>(user)->ops;
    return ops.level(query, ops.user);
}

espalier_pair_progress to_c(const PairProgress& progress) {
    return {static_cast<uint32_t>(progress.verdict), progress.done ? 1u : 0u, progress.lower, progress.upper,
            progress.node_tests};
}

}  // namespace

extern "C" {

size_t espalier_sweep_memory_size(uint32_t max_objects, uint32_t max_pairs) {
    return SweepAndPrune::memory_size(max_objects, max_pairs);
}

espalier_status espalier_sweep_begin(espalier_sweep* sweep, void* memory, size_t size, uint32_t max_objects,
                                     uint32_t max_pairs) {
    if (!sweep) return code(Status::kInvalidArgument);
    return code(made<SweepAndPrune>(sweep)->begin(memory, size, max_objects, max_pairs));
}

espalier_status espalier_sweep_set(espalier_sweep* sweep, uint32_t id, const espalier_broad_box* box) {
    if (!sweep || !box) return code(Status::kInvalidArgument);
    return code(inside<SweepAndPrune>(sweep)->set(id, copied<BroadBox>(*box)));
}

espalier_status espalier_sweep_remove(espalier_sweep* sweep, uint32_t id) {
    return code(inside<SweepAndPrune>(sweep)->remove(id));
}

espalier_status espalier_sweep_update(espalier_sweep* sweep) {
    return code(inside<SweepAndPrune>(sweep)->update());
}

uint32_t espalier_sweep_pair_count(const espalier_sweep* sweep) {
    return inside<SweepAndPrune>(sweep)->pair_count();
}

uint64_t espalier_sweep_pair_total(const espalier_sweep* sweep) {
    return inside<SweepAndPrune>(sweep)->pair_total();
}

espalier_broad_pair espalier_sweep_pair(const espalier_sweep* sweep, uint32_t index) {
    return copied<espalier_broad_pair>(inside<SweepAndPrune>(sweep)->pair(index));
}

double espalier_earliest_contact(const espalier_motion* a, const espalier_motion* b, double limit) {
    return espalier::earliest_contact(copied<Motion>(*a), copied<Motion>(*b), limit);
}

espalier_broad_box espalier_reach_box(const espalier_motion* motion, double duration) {
    return copied<espalier_broad_box>(espalier::reach_box(copied<Motion>(*motion), duration));
}

size_t espalier_space_time_memory_size(uint32_t max_objects, uint32_t max_pairs) {
    return SpaceTimeBounds::memory_size(max_objects, max_pairs);
}

espalier_status espalier_space_time_begin(espalier_space_time* bounds, void* memory, size_t size,
                                          uint32_t max_objects, uint32_t max_pairs, double horizon) {
    if (!bounds) return code(Status::kInvalidArgument);
    return code(made<SpaceTimeBounds>(bounds)->begin(memory, size, max_objects, max_pairs, horizon));
}

espalier_status espalier_space_time_set(espalier_space_time* bounds, uint32_t id, double time,
                                        const espalier_motion* motion) {
    if (!bounds || !motion) return code(Status::kInvalidArgument);
    return code(inside<SpaceTimeBounds>(bounds)->set(id, time, copied<Motion>(*motion)));
}

espalier_status espalier_space_time_remove(espalier_space_time* bounds, uint32_t id) {
    return code(inside<SpaceTimeBounds>(bounds)->remove(id));
}

espalier_status espalier_space_time_advance(espalier_space_time* bounds, double until) {
    return code(inside<SpaceTimeBounds>(bounds)->advance(until));
}

uint32_t espalier_space_time_due_count(const espalier_space_time* bounds) {
    return inside<SpaceTimeBounds>(bounds)->due_count();
}

espalier_broad_pair espalier_space_time_due(const espalier_space_time* bounds, uint32_t index) {
    return copied<espalier_broad_pair>(inside<SpaceTimeBounds>(bounds)->due(index));
}

double espalier_space_time_quiet_until(const espalier_space_time* bounds) {
    return inside<SpaceTimeBounds>(bounds)->quiet_until();
}

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
    adapted.start = &start;
    adapted.step = &step;
    adapted.level = &level;
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

espalier_schedule_report espalier_scheduler_run(espalier_scheduler* scheduler, const espalier_budget* budget,
                                                const espalier_schedule_options* options) {
    Budget limits;
    espalier_budget copy{0, nullptr, nullptr};
    if (budget) copy = *budget;
    if (copy.node_tests > 0) limits.node_tests = copy.node_tests;
    if (copy.expired) {
        limits.expired = &c_expired;
        limits.user = &copy;
    }
    ScheduleOptions how;
    if (options) {
        how.least_level = options->least_level;
        if (options->slice > 0) how.slice = options->slice;
        if (options->most_slices > 0) how.most_slices = options->most_slices;
    }
    const espalier::ScheduleReport report = inside<CScheduler>(scheduler)->scheduler.run(limits, how);
    return {static_cast<uint32_t>(report.end), report.done, report.node_tests, report.slices};
}

uint32_t espalier_scheduler_pair_count(const espalier_scheduler* scheduler) {
    return inside<CScheduler>(scheduler)->scheduler.pair_count();
}

espalier_scheduled_pair espalier_scheduler_pair(const espalier_scheduler* scheduler, uint32_t index) {
    const Scheduler& own = inside<CScheduler>(scheduler)->scheduler;
    const espalier::ScheduledPair& pair = own.pair(index);
    return {pair.a, pair.b, code(pair.status), to_c(pair.progress), own.query(index)};
}

espalier_governor_options espalier_governor_defaults(uint64_t target) {
    GovernorOptions options;
    options.target = target;
    return copied<espalier_governor_options>(options);
}

espalier_status espalier_governor_begin(espalier_governor* governor, const espalier_governor_options* options,
                                        uint64_t (*now)(void* user), void* user) {
    if (!governor || !options) return code(Status::kInvalidArgument);
    return code(made<CGovernor>(governor)->governor.begin(copied<GovernorOptions>(*options), now, user));
}

void espalier_governor_start_frame(espalier_governor* governor) {
    inside<CGovernor>(governor)->governor.start_frame();
}

espalier_budget espalier_governor_start_detection(espalier_governor* governor, uint64_t node_tests) {
    auto* own = inside<CGovernor>(governor);
    own->budget = own->governor.start_detection(node_tests > 0 ? node_tests : Budget::kUnlimited);
    return {node_tests, own->budget.expired ? &cpp_expired : nullptr, &own->budget};
}

void espalier_governor_end_detection(espalier_governor* governor) {
    inside<CGovernor>(governor)->governor.end_detection();
}

espalier_frame_report espalier_governor_end_frame(espalier_governor* governor) {
    return copied<espalier_frame_report>(inside<CGovernor>(governor)->governor.end_frame());
}

}  // extern "C"
