// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/hierarchy/query_method.h"

#include <algorithm>

namespace espalier {
namespace {

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

Status query_parts(RunQuery run, QueryMode mode, const std::vector<ShapeView>& a,
                   const std::vector<ShapeView>& b, const Pose& pose, std::uint64_t node_tests,
                   QueryOutcome& outcome) {
    outcome = QueryOutcome();
    bool is_first = true;
    for (const ShapeView& part_a : a)
        for (const ShapeView& part_b : b) {
            Budget budget;
            budget.node_tests = node_tests == Budget::kUnlimited
                                    ? node_tests
                                    : node_tests - std::min(node_tests, outcome.counters.node_tests);
            QueryOutcome pair;
            const Status status = run(part_a, part_b, pose, budget, pair);
            if (status != Status::kOk) return status;
            join(pair, mode, is_first, outcome);
            is_first = false;
            if (mode != QueryMode::kAll && outcome.upper == 0) return Status::kOk;
        }
    return Status::kOk;
}

}  // namespace espalier
