// SPDX-License-Identifier: GPL-3.0-or-later
// Functions for a row's query methods over the runtime's query classes.
#pragma once

#include "builder/hierarchy/query_method.h"

namespace espalier {

/// Runs a class that looks for one contact.
template <class Query>
Status run_first(const ShapeView& a, const ShapeView& b, const Pose& pose, const Budget& budget,
                 QueryOutcome& outcome) {
    Query query;
    const Status status = query.begin(a, b, pose);
    if (status != Status::kOk) return status;
    outcome.verdict = query.step(budget);
    if (outcome.verdict == Verdict::kColliding) outcome.upper = 0;
    outcome.counters = query.counters();
    return Status::kOk;
}

/// Runs a class that looks for all contacts. Without the last of them the verdict is open, but one is enough
/// to know the separation.
template <class Query>
Status run_all(const ShapeView& a, const ShapeView& b, const Pose& pose, const Budget& budget,
               QueryOutcome& outcome) {
    Query query;
    const Status status = query.begin(a, b, pose, nullptr, 0);
    if (status != Status::kOk) return status;
    outcome.verdict = query.step(budget);
    outcome.contacts = query.count();
    if (outcome.contacts > 0) outcome.upper = 0;
    outcome.counters = query.counters();
    return Status::kOk;
}

/// Runs a class that looks for the least distance.
template <class Query>
Status run_distance(const ShapeView& a, const ShapeView& b, const Pose& pose, const Budget& budget,
                    QueryOutcome& outcome) {
    Query query;
    const Status status = query.begin(a, b, pose);
    if (status != Status::kOk) return status;
    outcome.verdict = query.step(budget);
    outcome.lower = query.lower();
    outcome.upper = query.upper();
    outcome.counters = query.counters();
    return Status::kOk;
}

}  // namespace espalier
