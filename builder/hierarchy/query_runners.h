// SPDX-License-Identifier: GPL-3.0-or-later
// Functions for a row's query methods over the runtime's query classes of two shapes.
#pragma once

#include "builder/hierarchy/query_method.h"

namespace espalier {

/// Takes over what a query with bounds knows.
template <class Query>
void take_bounds(const Query& query, QueryOutcome& outcome) {
    outcome.lower = query.lower();
    outcome.upper = query.upper();
    outcome.counters = query.counters();
}

/// What kWithin asks a distance query for.
inline DistanceGoal goal_within(double distance) {
    DistanceGoal goal;
    goal.within = distance;
    return goal;
}

/// Runs a class that looks for one contact.
template <class Query>
Status run_first(const ShapeView& a, const ShapeView& b, const Pose& pose, const QueryRequest& request,
                 QueryOutcome& outcome) {
    Query query;
    const Status status = query.begin(a, b, pose);
    if (status != Status::kOk) return status;
    outcome.verdict = query.step(request.budget);
    if (outcome.verdict == Verdict::kColliding) outcome.upper = 0;
    outcome.counters = query.counters();
    return Status::kOk;
}

/// Runs a class that looks for all contacts. Without the last of them the verdict is open, but one is enough
/// to know the separation.
template <class Query>
Status run_all(const ShapeView& a, const ShapeView& b, const Pose& pose, const QueryRequest& request,
               QueryOutcome& outcome) {
    Query query;
    const Status status = query.begin(a, b, pose, nullptr, 0);
    if (status != Status::kOk) return status;
    outcome.verdict = query.step(request.budget);
    outcome.contacts = query.count();
    if (outcome.contacts > 0) outcome.upper = 0;
    outcome.counters = query.counters();
    return Status::kOk;
}

/// Runs a class that looks for the least distance, or whether it is within the request's.
template <class Query>
Status run_distance(const ShapeView& a, const ShapeView& b, const Pose& pose, const QueryRequest& request,
                    QueryOutcome& outcome) {
    Query query;
    const Status status = query.begin(a, b, pose, goal_within(request.within));
    if (status != Status::kOk) return status;
    outcome.verdict = query.step(request.budget);
    take_bounds(query, outcome);
    return Status::kOk;
}

}  // namespace espalier
