// SPDX-License-Identifier: MIT
// Least distance of two parts, on any tree with a pair codec: depth first, most promising pair first,
// everything pruned that cannot be nearer than the best pair of triangles found. Included by one source file
// for each tree.
#pragma once

#include "../base/assert.h"
#include "../pair/distance_progress.h"
#include "../pair/pair_walk.h"
#include "../pair/query_state.h"
#include "../pair/tree_codecs.h"
#include "espalier/distance.h"

namespace espalier {

template <class Tree>
struct DistanceState : DistanceProgress {
    using Codec = typename PairCodecs<Tree>::Nearest;

    PairWalk<Codec> walk;
    double elsewhere;  // a distance measured by others
    bool scouting;     // first pass

    /// Pairs at or beyond this distance do not matter any more.
    double useful_distance() const {
        return useful_below(best.distance < elsewhere ? best.distance : elsewhere, scouting);
    }

    Status begin(const ShapeView& a, const ShapeView& b, const Pose& pose, const DistanceGoal& new_goal) {
        const bool sound = reset(new_goal);
        elsewhere = kInfiniteDistance;
        if (!Codec::present(a) || !Codec::present(b)) return Status::kNoTree;
        if (!sound) return Status::kInvalidArgument;
        const Status status = walk.begin(a, b, pose);
        if (status != Status::kOk) return status;
        scouting = Codec::kScouts;
        update_limit();
        ready = true;
        return Status::kOk;
    }

    void improve() {
        const double before = best.distance;
        walk.codec().improve(&counters, &best);
        if (!(best.distance < before)) return;
        walk.codec().set_axis(best.axis);
        update_limit();
    }

    void update_limit() { walk.set_limit(useful_distance()); }
    void update_lower() { raise_lower(useful_distance(), walk.open_bound()); }

    /// The first pass is over: the second finds the rest.
    void end_scouting() {
        update_lower();
        scouting = false;
        walk.restart();
        update_limit();
    }

    void run(const Budget& budget) {
        const std::uint64_t most_tests = budget_limit(budget, counters);
        while (!satisfied()) {
            const WalkEvent event = walk.next(budget, most_tests, &counters);
            if (event == WalkEvent::kBudgetSpent) return;
            if (event == WalkEvent::kLeafPair)
                improve();
            else if (Codec::kScouts && scouting)
                end_scouting();
            else
                break;
        }
        done = true;
    }
};

template <class Tree>
Status Distance<Tree>::begin(const ShapeView& a, const ShapeView& b, const Pose& pose,
                             const DistanceGoal& goal) {
    return make_state<DistanceState<Tree>>(state_)->begin(a, b, pose, goal);
}

template <class Tree>
Verdict Distance<Tree>::step(const Budget& budget) {
    auto* s = state<DistanceState<Tree>>(state_);
    if (s->ready && !s->done) {
        s->run(budget);
        s->update_lower();
    }
    return s->verdict();
}

template <class Tree>
void Distance<Tree>::tighten(double distance) {
    auto* s = state<DistanceState<Tree>>(state_);
    if (!s->ready || !(distance >= 0) || !(distance < s->elsewhere)) return;
    s->elsewhere = distance;
    s->update_limit();
}

template <class Tree>
Verdict Distance<Tree>::verdict() const {
    return state<DistanceState<Tree>>(state_)->verdict();
}

template <class Tree>
bool Distance<Tree>::done() const {
    return state<DistanceState<Tree>>(state_)->done;
}

template <class Tree>
double Distance<Tree>::lower() const {
    return state<DistanceState<Tree>>(state_)->lower;
}

template <class Tree>
double Distance<Tree>::upper() const {
    return state<DistanceState<Tree>>(state_)->best.distance;
}

template <class Tree>
ClosestPair Distance<Tree>::closest() const {
    const auto* s = state<DistanceState<Tree>>(state_);
    ESPALIER_ASSERT(s->best.distance < kInfiniteDistance);
    return s->closest(s->walk.codec().meshes().origin_a);
}

template <class Tree>
const Counters& Distance<Tree>::counters() const {
    return state<DistanceState<Tree>>(state_)->counters;
}

}  // namespace espalier
