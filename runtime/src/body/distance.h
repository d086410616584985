// SPDX-License-Identifier: MIT
// Least distance of two bodies: pairs of parts by their boxes' distance, the nearest first, each asked for
// nothing farther than the best so far. Included by one source file for each tree.
#pragma once

#include "../query/distance.h"
#include "espalier/body_distance.h"
#include "pair_turn.h"

namespace espalier {

template <class Tree>
struct BodyDistanceState : BodyPairs<DistanceState<Tree>> {
    DistanceProgress whole;  ///< of all pairs; of its nearest pair, the distance alone
    BodyClosestPair closest;
    double elsewhere;  ///< a distance measured by others

    Status begin(Status walk_status, const DistanceGoal& goal) {
        const bool sound = whole.reset(goal);
        elsewhere = kInfiniteDistance;
        closest = BodyClosestPair();
        Status status = this->template check<Tree>(walk_status);
        if (status == Status::kOk && !sound) status = Status::kInvalidArgument;
        this->ready = status == Status::kOk;
        return status;
    }

    double nearest() const { return whole.best.distance < elsewhere ? whole.best.distance : elsewhere; }
    double useful_distance() const { return whole.useful_below(nearest(), false); }

    bool start_pair() {
        if (!this->begin_pair(whole.goal)) return false;
        tell_pair();
        return true;
    }

    /// Only what is nearer than is known already counts.
    void tell_pair() {
        this->pair.elsewhere = nearest();
        this->pair.update_limit();
    }

    void take_best() {
        if (!(this->pair.best.distance < whole.best.distance)) return;
        whole.best.distance = this->pair.best.distance;
        closest.part_a = this->walk.part_a();
        closest.part_b = this->walk.part_b();
        closest.found = this->pair.closest(this->pair.walk.codec().meshes().origin_a);
        this->walk.place_point(closest.found.point_a);
        this->walk.place_point(closest.found.point_b);
    }

    void run(const Budget& budget) {
        const std::uint64_t most_tests = budget_limit(budget, this->pair.counters);
        while (!whole.satisfied()) {
            if (!this->in_pair) {
                const WalkEvent event = this->walk.template next<true>(upward(useful_distance()), budget,
                                                                       most_tests, &this->pair.counters);
                if (event == WalkEvent::kBudgetSpent) return;
                if (event == WalkEvent::kExhausted) break;
                if (!start_pair()) return;
            }
            this->pair.run(this->rest_of(budget, most_tests));
            this->pair.update_lower();
            take_best();
            if (!this->pair.done) return;
            this->in_pair = false;
        }
        whole.done = true;
    }

    void update_lower() {
        double open = this->walk.open_bound();
        if (this->in_pair && this->pair.lower < open) open = this->pair.lower;
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
    return state<BodyDistanceState<Tree>>(state_)->pair.counters;
}

}  // namespace espalier
