// SPDX-License-Identifier: GPL-3.0-or-later
// Deadlines by the clock: a callback that compares the steady clock with the deadline.
#include <algorithm>
#include <chrono>
#include <functional>
#include <stdexcept>

#include "bench/budget/protocols.h"
#include "espalier/aabb_query.h"
#include "espalier/box_query.h"
#include "espalier/sphere_query.h"

namespace espalier::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kDeadlines[] = {10, 50, 200};  // microseconds

bool past(void* deadline) {
    return Clock::now() >= *static_cast<Clock::time_point*>(deadline);
}

struct Overruns {
    std::vector<double> ns;
    std::size_t finished = 0;
};

/// One step with a deadline.
template <class Query>
void step_until(Query& query, int microseconds, Overruns* overruns) {
    Clock::time_point deadline = Clock::now() + std::chrono::microseconds(microseconds);
    Budget budget;
    budget.expired = &past;
    budget.user = &deadline;
    query.step(budget);
    const auto late = Clock::now() - deadline;
    const auto ns = static_cast<double>(std::chrono::duration_cast<std::chrono::nanoseconds>(late).count());
    if (ns < 0)
        ++overruns->finished;
    else
        overruns->ns.push_back(ns);
}

Json summary(Overruns& overruns) {
    std::vector<double>& ns = overruns.ns;
    if (ns.empty()) return {{"overruns", 0}, {"finished", overruns.finished}};
    std::sort(ns.begin(), ns.end());
    return {{"stopped", ns.size()},
            {"finished", overruns.finished},
            {"p50", ns[(ns.size() - 1) / 2]},
            {"p999", ns[(ns.size() - 1) * 999 / 1000]},
            {"max", ns.back()}};
}

void require(Status status) {
    if (status != Status::kOk) throw std::runtime_error(status_text(status));
}

}  // namespace

Json measure_deadlines(const std::vector<ModelPair>& models, std::size_t poses_each) {
    Json rows = Json::array();
    static SphereQuery<1024> sphere;
    static AabbDistance aabb;
    static BoxDistance box;
    for (const int deadline : kDeadlines) {
        Overruns late[3];
        for (const ModelPair& model : models) {
            const PartView& part = model.medial->part;
            for (const Pose& pose : drawn_poses(part, poses_each)) {
                require(sphere.begin(part, part, pose));
                step_until(sphere, deadline, &late[0]);
                require(aabb.begin(part, part, pose));
                step_until(aabb, deadline, &late[1]);
                require(box.begin(part, part, pose));
                step_until(box, deadline, &late[2]);
            }
        }
        rows.push_back({{"microseconds", deadline},
                        {"sphere", summary(late[0])},
                        {"aabb", summary(late[1])},
                        {"box", summary(late[2])}});
    }
    return rows;
}

}  // namespace espalier::bench
