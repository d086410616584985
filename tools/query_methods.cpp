// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/query_methods.h"

#include <algorithm>

#include "espalier/aabb_query.h"

namespace espalier::tools {
namespace {

/// Runs a class like AabbCollide: one contact.
template <class Query, class OverlapTest>
Status run_first(const PartView& a, const PartView& b, const Pose& pose, std::size_t overlap,
                 const Budget& budget, QueryOutcome& outcome) {
    Query query;
    const Status status = query.begin(a, b, pose, static_cast<OverlapTest>(overlap));
    if (status != Status::kOk) return status;
    outcome.verdict = query.step(budget);
    if (outcome.verdict == Verdict::kColliding) outcome.upper = 0;
    outcome.counters = query.counters();
    return Status::kOk;
}

/// Runs a class like AabbContacts: all contacts. Without the last of them the verdict is open, but one is
/// enough to know the separation.
template <class Query, class OverlapTest>
Status run_all(const PartView& a, const PartView& b, const Pose& pose, std::size_t overlap,
               const Budget& budget, QueryOutcome& outcome) {
    Query query;
    const Status status = query.begin(a, b, pose, nullptr, 0, static_cast<OverlapTest>(overlap));
    if (status != Status::kOk) return status;
    outcome.verdict = query.step(budget);
    outcome.contacts = query.count();
    if (outcome.contacts > 0) outcome.upper = 0;
    outcome.counters = query.counters();
    return Status::kOk;
}

/// Runs a class like AabbDistance.
template <class Query>
Status run_distance(const PartView& a, const PartView& b, const Pose& pose, std::size_t /*overlap*/,
                    const Budget& budget, QueryOutcome& outcome) {
    Query query;
    const Status status = query.begin(a, b, pose);
    if (status != Status::kOk) return status;
    outcome.verdict = query.step(budget);
    outcome.lower = query.lower();
    outcome.upper = query.upper();
    outcome.counters = query.counters();
    return Status::kOk;
}

bool has_aabb(const PartView& part) {
    return part.aabb.nodes != nullptr;
}

const std::vector<QueryMethod>& methods() {
    static const std::vector<std::string> aabb_tests = {"satlite", "sat"};
    static const std::vector<QueryMethod> all = {
        {"aabb", QueryMode::kFirst, aabb_tests, has_aabb, run_first<AabbCollide, Overlap>},
        {"aabb", QueryMode::kAll, aabb_tests, has_aabb, run_all<AabbContacts, Overlap>},
        {"aabb", QueryMode::kDistance, {}, has_aabb, run_distance<AabbDistance>},
    };
    return all;
}

/// Takes the outcome of one more pair of parts into that of the whole.
void join(const QueryOutcome& pair, QueryMode mode, bool is_first, QueryOutcome& whole) {
    whole.lower = is_first ? pair.lower : std::min(whole.lower, pair.lower);
    whole.upper = is_first ? pair.upper : std::min(whole.upper, pair.upper);
    whole.contacts += pair.contacts;
    whole.level = is_first ? pair.level : std::min(whole.level, pair.level);
    whole.counters.node_tests += pair.counters.node_tests;
    whole.counters.leaf_pairs += pair.counters.leaf_pairs;
    whole.counters.triangle_tests += pair.counters.triangle_tests;
    whole.counters.exact_tests += pair.counters.exact_tests;
    // A list of contacts is complete only if every pair's is; else one collision decides.
    const auto is = [&](Verdict verdict) {
        return pair.verdict == verdict || (!is_first && whole.verdict == verdict);
    };
    const bool list = mode == QueryMode::kAll;
    if (is(Verdict::kColliding) && !(list && is(Verdict::kUnresolved)))
        whole.verdict = Verdict::kColliding;
    else
        whole.verdict = is(Verdict::kUnresolved) ? Verdict::kUnresolved : Verdict::kDisjoint;
}

}  // namespace

const std::vector<std::string>& query_mode_names() {
    static const std::vector<std::string> names = {"first", "all", "distance"};
    return names;
}

const QueryMethod* find_query_method(const std::string& tree, QueryMode mode) {
    for (const QueryMethod& method : methods())
        if (method.tree == tree && method.mode == mode) return &method;
    return nullptr;
}

Status query_parts(const QueryMethod& method, const std::vector<PartView>& a, const std::vector<PartView>& b,
                   const Pose& pose, std::size_t overlap, std::uint64_t node_tests, QueryOutcome& outcome) {
    outcome = QueryOutcome();
    bool is_first = true;
    for (const PartView& part_a : a)
        for (const PartView& part_b : b) {
            Budget budget;
            budget.node_tests = node_tests == Budget::kUnlimited
                                    ? node_tests
                                    : node_tests - std::min(node_tests, outcome.counters.node_tests);
            QueryOutcome pair;
            const Status status = method.run(part_a, part_b, pose, overlap, budget, pair);
            if (status != Status::kOk) return status;
            join(pair, method.mode, is_first, outcome);
            is_first = false;
            if (method.mode != QueryMode::kAll && outcome.upper == 0) return Status::kOk;
        }
    return Status::kOk;
}

}  // namespace espalier::tools
