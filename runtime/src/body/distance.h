// SPDX-License-Identifier: MIT
// Least distance of two bodies: pairs of parts by their boxes' distance, the nearest first, each asked for
// nothing farther than the best so far. Included by one source file for each tree.
#pragma once

#include "../query/distance.h"
#include "espalier/body_distance.h"
#include "pair_turn.h"

namespace espalier {

template <class Tree>
struct BodyDistanceState : BodyPairs {
    DistanceProgress whole;  ///< of all pairs; of its nearest pair, the distance alone
    BodyClosestPair closest;
    double elsewhere;  ///< a distance measured by others
    DistanceState<Tree> pair;

    Status begin(Status walk_status, const DistanceGoal& goal) {
        const bool sound = whole.reset(goal);
        elsewhere = kInfiniteDistance;
        closest = BodyClosestPair();
        Status status = check<Tree>(walk_status);
        if (status == Status::kOk && !sound) status = Status::kInvalidArgument;
        ready = status == Status::kOk;
        return status;
    }

    double nearest() const { return whole.best.distance < elsewhere ? whole.best.distance : elsewhere; }
    double useful_distance() const { return whole.useful_below(nearest(), false); }

    bool start_pair() {
        const Status status = pair.begin(walk.shape_a(), walk.shape_b(), walk.pose(), whole.goal);
        ESPALIER_ASSERT(status == Status::kOk);
        if (status != Status::kOk) return false;
        pair.counters = counters;
        tell_pair();
        return in_pair = true;
    }

    /// Only what is nearer than is known already counts.
    void tell_pair() {
        pair.elsewhere = nearest();
        pair.update_limit();
    }

    void take_best() {
        if (!(pair.best.distance < whole.best.distance)) return;
        whole.best.distance = pair.best.distance;
        closest.part_a = walk.part_a();
        closest.part_b = walk.part_b();
        closest.found = pair.closest(pair.walk.codec().meshes().origin_a);
        walk.place_point(closest.found.point_a);
        walk.place_point(closest.found.point_b);
    }

    void run(const Budget& budget) {
        const std::uint64_t most_tests = budget_limit(budget, counters);
        while (!whole.satisfied()) {
            if (!in_pair) {
                const WalkEvent event =
                    walk.next<true>(upward(useful_distance()), budget, most_tests, &counters);
                if (event == WalkEvent::kBudgetSpent) return;
                if (event == WalkEvent::kExhausted) break;
                if (!start_pair()) return;
            }
            pair.run(rest_of(budget, most_tests));
            pair.update_lower();
            counters = pair.counters;
            take_best();
            if (!pair.done) return;
            in_pair = false;
        }
        whole.done = true;
    }

    void update_lower() {
        double open = walk.open_bound();
        if (in_pair && pair.lower < open) open = pair.lower;
        whole.raise_lower(useful_distance(), open);
    }
};

template <class Tree>
Status BodyDistance<Tree>::begin(const Body& a, const Body& b, const Pose& pose, const DistanceGoal& goal) {
    auto* s = make_state<BodyDistanceState<Tree>>(state_);
    return s->begin(s->start(a, b, pose), goal);
}

template <class Tree>
Status BodyDistance<Tree>::begin_self(const Body& body, const DistanceGoal& goal) {
    auto* s = make_state<BodyDistanceState<Tree>>(state_);
    return s->begin(s->start_self(body), goal);
}

template <class Tree>
Verdict BodyDistance<Tree>::step(const Budget& budget) {
    auto* s = state<BodyDistanceState<Tree>>(state_);
    if (s->ready && !s->whole.done) {
        s->run(budget);
        s->update_lower();
    }
    return s->whole.verdict();
}

template <class Tree>
void BodyDistance<Tree>::tighten(double distance) {
    auto* s = state<BodyDistanceState<Tree>>(state_);
    if (!s->ready || !(distance >= 0) || !(distance < s->elsewhere)) return;
    s->elsewhere = distance;
    if (s->in_pair) s->tell_pair();
}

template <class Tree>
Verdict BodyDistance<Tree>::verdict() const {
    return state<BodyDistanceState<Tree>>(state_)->whole.verdict();
}

template <class Tree>
bool BodyDistance<Tree>::done() const {
    return state<BodyDistanceState<Tree>>(state_)->whole.done;
}

template <class Tree>
double BodyDistance<Tree>::lower() const {
    return state<BodyDistanceState<Tree>>(state_)->whole.lower;
}

template <class Tree>
double BodyDistance<Tree>::upper() const {
    return state<BodyDistanceState<Tree>>(state_)->whole.best.distance;
}

template <class Tree>
const BodyClosestPair& BodyDistance<Tree>::closest() const {
    ESPALIER_ASSERT(upper() < kInfiniteDistance);
    return state<BodyDistanceState<Tree>>(state_)->closest;
}

template <class Tree>
const Counters& BodyDistance<Tree>::counters() const {
    return state<BodyDistanceState<Tree>>(state_)->counters;
}

}  // namespace espalier
