// SPDX-License-Identifier: MIT
// What the queries keep that give pairs of leaves to an operation: first contact, all contacts, cell walks.
#pragma once

#include "pair_walk.h"
#include "query_state.h"

namespace espalier {

template <class Codec>
struct PairState {
    PairWalk<Codec> walk;
    Counters counters;
    Verdict verdict;
    bool ready;

    Status begin(const ShapeView& a, const ShapeView& b, const Pose& pose) {
        verdict = Verdict::kUnresolved;
        ready = false;
        counters = Counters();
        if (!Codec::present(a) || !Codec::present(b)) return Status::kNoTree;
        const Status status = walk.begin(a, b, pose);
        ready = status == Status::kOk;
        return status;
    }

    /// Calls `at_leaves()` at every pair of leaves until it returns true (kColliding), the pairs are
    /// exhausted
    /// (`at_end()` is the verdict) or the budget is spent.
    template <class AtLeaves, class AtEnd>
    void run(const Budget& budget, AtLeaves at_leaves, AtEnd at_end) {
        if (!ready || verdict != Verdict::kUnresolved) return;
        const std::uint64_t most_tests = budget_limit(budget, counters);
        for (;;) {
            const WalkEvent event = walk.next(budget, most_tests, &counters);
            if (event == WalkEvent::kBudgetSpent) return;
            if (event == WalkEvent::kExhausted) {
                verdict = at_end();
                return;
            }
            if (at_leaves()) {
                verdict = Verdict::kColliding;
                return;
            }
        }
    }
};

}  // namespace espalier
