// SPDX-License-Identifier: GPL-3.0-or-later
// Deadlines by the clock. First what a visit costs on this machine: a callback notes the time between its
// calls. Then how late steps end, with a callback that compares the steady clock with the deadline. Each of
// those steps is then repeated up to the same visit, by count, to tell the query's own time after the
// deadline from what the operating system took.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "bench/budget/protocols.h"
#include "espalier/distance.h"
#include "espalier/sphere_query.h"

namespace espalier::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kDeadlines[] = {10, 50, 200};  // microseconds
constexpr int kRepeats = 4;

double ns_between(Clock::time_point from, Clock::time_point to) {
    return static_cast<double>(std::chrono::duration_cast<std::chrono::nanoseconds>(to - from).count());
}

void require(Status status) {
    if (status != Status::kOk) throw std::runtime_error(status_text(status));
}

/// How often the scheduler took the processor away from this thread.
long involuntary_switches() {
    rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nivcsw;
}

/// Says stop when the deadline is past, and counts.
struct Deadline {
    Clock::time_point at;
    std::size_t asked = 0;
    std::size_t asked_after = 0;  ///< it had said stop
    bool said_stop = false;

    static bool expired(void* self) {
        Deadline& d = *static_cast<Deadline*>(self);
        ++d.asked;
        if (d.said_stop) ++d.asked_after;
        d.said_stop = Clock::now() >= d.at;
        return d.said_stop;
    }
};

/// Says stop when asked for the `stop`th time, and notes when it was asked.
struct Times {
    std::size_t stop;
    std::vector<Clock::time_point> at;

    static bool expired(void* self) {
        Times& t = *static_cast<Times*>(self);
        t.at.push_back(Clock::now());
        return t.at.size() == t.stop;
    }
};

/// Nanoseconds of a step's visits and of its end; the least of several runs, which do the same work.
struct StepTimes {
    std::vector<double> visits;
    double end = 0;
    bool stopped = false;

    /// What a step takes at most after a deadline that falls into its last visit.
    double last() const { return visits.empty() ? end : visits.back() + end; }
};

/// One step that is stopped when it asks for the `stop`th time.
template <class Query>
StepTimes time_step(Query& query, const ShapeView& part, const Pose& pose, std::size_t stop) {
    StepTimes least;
    Times times{stop, {}};
    times.at.reserve(stop);
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
        require(query.begin(part, part, pose));
        times.at.clear();
        Budget budget;
        budget.expired = &Times::expired;
        budget.user = &times;
        const Clock::time_point start = Clock::now();
        query.step(budget);
        const Clock::time_point end = Clock::now();
        std::vector<double> visits;
        Clock::time_point before = start;
        for (const Clock::time_point asked : times.at) {
            visits.push_back(ns_between(before, asked));
            before = asked;
        }
        if (repeat == 0) least = {visits, ns_between(before, end), times.at.size() == stop};
        for (std::size_t i = 0; i < visits.size(); ++i)
            least.visits[i] = std::min(least.visits[i], visits[i]);
        least.end = std::min(least.end, ns_between(before, end));
    }
    return least;
}

struct StepCost {
    std::vector<double> visits;
    double longest_end = 0;

    double worst() const { return visits.back() + longest_end; }
};

template <class Query>
StepCost measure_steps(Query& query, const std::vector<ModelPair>& models, std::size_t poses_each) {
    StepCost cost;
    for (const ModelPair& model : models) {
        const ShapeView& part = model.medial->part;
        std::size_t draw = 0;
        for (const Pose& pose : drawn_poses(part, poses_each)) {
            const StepTimes times = time_step(query, part, pose, std::size_t{8} << draw++ % 9);
            cost.visits.insert(cost.visits.end(), times.visits.begin(), times.visits.end());
            if (times.stopped) cost.longest_end = std::max(cost.longest_end, times.end);
        }
    }
    std::sort(cost.visits.begin(), cost.visits.end());
    return cost;
}

struct Overruns {
    std::vector<double> wall;     ///< from the deadline to the step's end
    std::vector<double> own;      ///< the last visit and the end of the same step, repeated
    std::size_t finished = 0;     ///< before the deadline
    std::size_t begun_after = 0;  ///< visits after the clock had said stop
    std::size_t above = 0;        ///< longer than the worst step by the wall clock
    std::size_t above_taken = 0;  ///< of those, in which the scheduler took the processor away
    double above_own = 0;         ///< and the longest of their own work
};

/// One step with a deadline.
template <class Query>
void step_until(Query& query, const ShapeView& part, const Pose& pose, int microseconds, double worst_step,
                Overruns* overruns) {
    require(query.begin(part, part, pose));
    const long switches = involuntary_switches();
    Deadline deadline{Clock::now() + std::chrono::microseconds(microseconds)};
    Budget budget;
    budget.expired = &Deadline::expired;
    budget.user = &deadline;
    query.step(budget);
    const double late = ns_between(deadline.at, Clock::now());
    if (late < 0) {
        ++overruns->finished;
        return;
    }
    const bool taken = involuntary_switches() != switches;
    const double own = time_step(query, part, pose, deadline.asked).last();
    overruns->wall.push_back(late);
    overruns->own.push_back(own);
    overruns->begun_after += deadline.asked_after;
    if (late <= worst_step) return;
    ++overruns->above;
    overruns->above_taken += taken ? 1 : 0;
    overruns->above_own = std::max(overruns->above_own, own);
}

double quantile(const std::vector<double>& sorted, std::size_t thousandth) {
    return sorted[(sorted.size() - 1) * thousandth / 1000];
}

Json quantiles(std::vector<double> ns) {
    if (ns.empty()) return Json{};
    std::sort(ns.begin(), ns.end());
    return {{"p50", quantile(ns, 500)}, {"p999", quantile(ns, 999)}, {"max", ns.back()}};
}

Json summary(const Overruns& overruns) {
    return {{"stopped", overruns.wall.size()},
            {"finished", overruns.finished},
            {"visits_begun_after", overruns.begun_after},
            {"wall", quantiles(overruns.wall)},
            {"own", quantiles(overruns.own)},
            {"above_step", overruns.above},
            {"above_step_preempted", overruns.above_taken},
            {"above_step_own_max", overruns.above_own}};
}

template <class Query>
Json measure_tree(Query& query, const std::vector<ModelPair>& models, std::size_t poses_each) {
    const StepCost cost = measure_steps(query, models, std::min<std::size_t>(poses_each, 90));
    Json tree;
    tree["visit"] = {{"count", cost.visits.size()},
                     {"p50", quantile(cost.visits, 500)},
                     {"p999", quantile(cost.visits, 999)},
                     {"max", cost.visits.back()}};
    tree["end_max"] = cost.longest_end;
    tree["step_max"] = cost.worst();
    tree["deadlines"] = Json::array();
    for (const int deadline : kDeadlines) {
        Overruns overruns;
        for (const ModelPair& model : models)
            for (const Pose& pose : drawn_poses(model.medial->part, poses_each))
                step_until(query, model.medial->part, pose, deadline, cost.worst(), &overruns);
        Json row{{"microseconds", deadline}};
        row.update(summary(overruns));
        tree["deadlines"].push_back(row);
    }
    return tree;
}

/// The same with no query at all: how late a loop notices that does nothing but ask the clock.
Json measure_nothing(std::size_t count) {
    Json rows = Json::array();
    for (const int microseconds : kDeadlines) {
        std::vector<double> late;
        for (std::size_t i = 0; i < count; ++i) {
            Deadline deadline{Clock::now() + std::chrono::microseconds(microseconds)};
            while (!Deadline::expired(&deadline)) {
            }
            late.push_back(ns_between(deadline.at, Clock::now()));
        }
        rows.push_back({{"microseconds", microseconds}, {"stopped", count}, {"wall", quantiles(late)}});
    }
    return rows;
}

}  // namespace

Json measure_deadlines(const std::vector<ModelPair>& models, std::size_t poses_each) {
    static SphereQuery<1024> sphere;
    static Distance<AabbTreeView> aabb;
    static Distance<BoxTreeView> box;
    static Distance<CellTreeView> cell;
    return {{"sphere", measure_tree(sphere, models, poses_each)},
            {"aabb", measure_tree(aabb, models, poses_each)},
            {"box", measure_tree(box, models, poses_each)},
            {"cell", measure_tree(cell, models, poses_each)},
            {"clock_alone", measure_nothing(models.size() * poses_each)}};
}

}  // namespace espalier::bench
