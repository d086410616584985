// SPDX-License-Identifier: GPL-3.0-or-later
// The same for bodies: functions for a row's query methods over the runtime's query classes of two bodies, or
// of one with itself.
#pragma once

#include <utility>
#include <vector>

#include "builder/hierarchy/query_runners.h"
#include "espalier/body_collide.h"
#include "espalier/body_contacts.h"
#include "espalier/body_distance.h"

namespace espalier {

/// Starts a query with what follows the bodies in its `begin`.
template <class Query, class... More>
Status begin_bodies(Query& query, const QueriedBodies& bodies, More... more) {
    return bodies.b ? query.begin(bodies.a, *bodies.b, bodies.pose, more...)
                    : query.begin_self(bodies.a, more...);
}

template <class Query>
Status run_body_first(const QueriedBodies& bodies, const QueryRequest& request, QueryOutcome& outcome) {
    Query query;
    const Status status = begin_bodies(query, bodies);
    if (status != Status::kOk) return status;
    outcome.verdict = query.step(request.budget);
    outcome.counters = query.counters();
    if (outcome.verdict != Verdict::kColliding) return Status::kOk;
    outcome.upper = 0;
    outcome.part_a = query.contact().part_a;
    outcome.part_b = query.contact().part_b;
    return Status::kOk;
}

/// Adds up contacts by pairs of parts, which lie together.
inline std::vector<TouchingParts> touching_parts(const std::vector<BodyContact>& contacts) {
    std::vector<TouchingParts> pairs;
    for (const BodyContact& contact : contacts) {
        const bool is_new =
            pairs.empty() || pairs.back().part_a != contact.part_a || pairs.back().part_b != contact.part_b;
        if (is_new) pairs.push_back({contact.part_a, contact.part_b, 0});
        ++pairs.back().contacts;
    }
    return pairs;
}

/// A list of parts takes a second run, with room for all contacts of the first.
template <class Query>
Status run_body_all(const QueriedBodies& bodies, const QueryRequest& request, QueryOutcome& outcome) {
    Query query;
    std::vector<BodyContact> contacts;
    const Status status = begin_bodies(query, bodies, contacts.data(), contacts.size());
    if (status != Status::kOk) return status;
    outcome.verdict = query.step(request.budget);
    outcome.contacts = query.count();
    if (outcome.contacts > 0) outcome.upper = 0;
    outcome.counters = query.counters();
    if (!request.list_parts || outcome.contacts == 0) return Status::kOk;
    contacts.resize(outcome.contacts);
    const Status again = begin_bodies(query, bodies, contacts.data(), contacts.size());
    if (again != Status::kOk) return again;
    query.step(request.budget);
    outcome.touching = touching_parts(contacts);
    return Status::kOk;
}

template <class Query>
Status run_body_distance(const QueriedBodies& bodies, const QueryRequest& request, QueryOutcome& outcome) {
    Query query;
    const Status status = begin_bodies(query, bodies, goal_within(request.within));
    if (status != Status::kOk) return status;
    outcome.verdict = query.step(request.budget);
    take_bounds(query, outcome);
    if (!(outcome.upper < std::numeric_limits<double>::infinity())) return Status::kOk;
    outcome.part_a = query.closest().part_a;
    outcome.part_b = query.closest().part_b;
    return Status::kOk;
}

/// Whether two parts of one body touch: the modes first and self of a tree.
template <class Tree>
constexpr RunBodyQuery kBodyFirst = run_body_first<BodyCollide<Tree>>;
template <class Tree>
constexpr RunBodyQuery kBodyAll = run_body_all<BodyContacts<Tree>>;
template <class Tree>
constexpr RunBodyQuery kBodyDistance = run_body_distance<BodyDistance<Tree>>;

}  // namespace espalier
