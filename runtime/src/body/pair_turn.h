// SPDX-License-Identifier: MIT
// What the queries of two bodies share: a walk over pairs of parts, and a query of the pair that is next.
#pragma once

#include "../base/assert.h"
#include "../format/hierarchies.h"
#include "pair_walk.h"

namespace espalier {

/// @tparam Pair  the state of a query of two parts; its counters go on counting from one pair to the next
template <class Pair>
struct BodyPairs {
    BodyWalk walk;
    bool ready;    ///< begun, and not ended
    bool in_pair;  ///< a pair of parts is under way
    Pair pair;

    Status start(const Body& a, const Body& b, const Pose& pose) { return started(walk.set(a, b, pose)); }
    Status start_self(const Body& body) { return started(walk.set_self(body)); }

    /// Whether the bodies can be queried: `status` is that of `start`.
    template <class Tree>
    Status check(Status status) const {
        if (status != Status::kOk) return status;
        return walk.trees() & HierarchiesToRead::bit_of<Tree>() ? Status::kOk : Status::kNoTree;
    }

    /// Begins the query of the pair of parts that the walk is at. False, which cannot be: trees, bounds and
    /// poses were checked before.
    template <class... Arguments>
    bool begin_pair(const Arguments&... arguments) {
        const Counters so_far = pair.counters;
        const Status status = pair.begin(walk.shape_a(), walk.shape_b(), walk.pose(), arguments...);
        ESPALIER_ASSERT(status == Status::kOk);
        pair.counters = so_far;
        return in_pair = status == Status::kOk;
    }

    /// What is left of a step's budget.
    Budget rest_of(const Budget& budget, std::uint64_t most_tests) const {
        Budget rest = budget;
        rest.node_tests = Budget::kUnlimited;
        if (most_tests != Budget::kUnlimited)
            rest.node_tests =
                most_tests > pair.counters.node_tests ? most_tests - pair.counters.node_tests : 0;
        return rest;
    }

  private:
    Status started(Status status) {
        pair.counters = Counters();
        ready = in_pair = false;
        if (status == Status::kOk) walk.start();
        return status;
    }
};

/// Asks for contacts of pairs of parts, in any order.
template <class Pair>
struct BodyContactPairs : BodyPairs<Pair> {
    Verdict verdict;

    /// `Task` has
    ///   begin()        begins the query of a pair, as begin_pair
    ///   at_leaves()    at a pair of leaves; true: a contact that ends all
    ///   at_contact()   takes that contact
    ///   at_end()       the verdict when all pairs were looked at
    template <class Task>
    void run(Task* task, const Budget& budget) {
        if (!this->ready || verdict != Verdict::kUnresolved) return;
        const std::uint64_t most_tests = budget_limit(budget, this->pair.counters);
        for (;;) {
            if (!this->in_pair) {
                const WalkEvent event =
                    this->walk.template next<false>(0.0F, budget, most_tests, &this->pair.counters);
                if (event == WalkEvent::kBudgetSpent) return;
                if (event == WalkEvent::kExhausted) {
                    verdict = task->at_end();
                    return;
                }
                if (!task->begin()) return;
            }
            this->pair.run(
                this->rest_of(budget, most_tests), [task] { return task->at_leaves(); },
                [] { return Verdict::kDisjoint; });
            if (this->pair.verdict == Verdict::kUnresolved) return;
            this->in_pair = false;
            if (this->pair.verdict == Verdict::kColliding) {
                verdict = Verdict::kColliding;
                return task->at_contact();
            }
        }
    }
};

/// A contact in the frame of body A.
template <class Found>
void place_found(const BodyWalk& walk, OfParts<Found>* of) {
    of->part_a = walk.part_a();
    of->part_b = walk.part_b();
    walk.place_point(of->found.point);
    walk.place_direction(of->found.normal);
}

}  // namespace espalier
