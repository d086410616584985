// SPDX-License-Identifier: MIT
// First contact of two bodies: the first contact of a pair of parts whose boxes overlap. Included by one
// source file for each tree and overlap test, so that a program carries only what it names.
#pragma once

#include "../query/collide.h"
#include "espalier/body_collide.h"
#include "pair_turn.h"

namespace espalier {

template <class Tree, Overlap kOverlap>
struct BodyCollideState : BodyPairs {
    OfParts<typename Tree::Found> found;
    BodyCue* cue;
    Verdict verdict;
    CollideState<Tree, kOverlap> pair;

    Status begin(Status walk_status, BodyCue* new_cue) {
        verdict = Verdict::kUnresolved;
        cue = new_cue;
        const Status status = check<Tree>(walk_status);
        ready = status == Status::kOk;
        if (ready && cue && cue->cue.valid && walk.take_any_parts(cue->part_a, cue->part_b)) try_cue();
        return status;
    }

    /// The pair of parts that touched last time; that they do is tested again by its triangles alone.
    void try_cue() {
        if (!start_pair(&cue->cue)) return;
        in_pair = false;
        if (pair.cue_still_holds()) hit();
        counters = pair.counters;
    }

    bool start_pair(Cue* pair_cue) {
        pair.cue = pair_cue;
        const Status status = pair.begin(walk.shape_a(), walk.shape_b(), walk.pose());
        // Trees, bounds and poses were checked before: nothing is left to fail.
        ESPALIER_ASSERT(status == Status::kOk);
        pair.counters = counters;
        in_pair = status == Status::kOk;
        return in_pair;
    }

    void hit() {
        found.found = pair.contact;
        place_found(walk, &found);
        verdict = Verdict::kColliding;
        if (cue) *cue = BodyCue{found.part_a, found.part_b, cue_of(pair.contact)};
    }

    void run(const Budget& budget) {
        if (!ready || verdict != Verdict::kUnresolved) return;
        const std::uint64_t most_tests = budget_limit(budget, counters);
        for (;;) {
            if (!in_pair) {
                const WalkEvent event = walk.next<false>(0.0F, budget, most_tests, &counters);
                if (event == WalkEvent::kBudgetSpent) return;
                if (event == WalkEvent::kExhausted) {
                    verdict = Verdict::kDisjoint;
                    return;
                }
                if (!start_pair(nullptr)) return;
            }
            pair.run(
                rest_of(budget, most_tests), [this] { return pair.find(); },
                [] { return Verdict::kDisjoint; });
            counters = pair.counters;
            if (pair.verdict == Verdict::kUnresolved) return;
            in_pair = false;
            if (pair.verdict == Verdict::kColliding) return hit();
        }
    }
};

template <class Tree, Overlap kOverlap>
Status BodyCollide<Tree, kOverlap>::begin(const Body& a, const Body& b, const Pose& pose, BodyCue* cue) {
    auto* s = make_state<BodyCollideState<Tree, kOverlap>>(state_);
    return s->begin(s->start(a, b, pose), cue);
}

template <class Tree, Overlap kOverlap>
Status BodyCollide<Tree, kOverlap>::begin_self(const Body& body, BodyCue* cue) {
    auto* s = make_state<BodyCollideState<Tree, kOverlap>>(state_);
    return s->begin(s->start_self(body), cue);
}

template <class Tree, Overlap kOverlap>
Verdict BodyCollide<Tree, kOverlap>::step(const Budget& budget) {
    auto* s = state<BodyCollideState<Tree, kOverlap>>(state_);
    s->run(budget);
    return s->verdict;
}

template <class Tree, Overlap kOverlap>
Verdict BodyCollide<Tree, kOverlap>::verdict() const {
    return state<BodyCollideState<Tree, kOverlap>>(state_)->verdict;
}

template <class Tree, Overlap kOverlap>
const OfParts<typename Tree::Found>& BodyCollide<Tree, kOverlap>::contact() const {
    ESPALIER_ASSERT(verdict() == Verdict::kColliding);
    return state<BodyCollideState<Tree, kOverlap>>(state_)->found;
}

template <class Tree, Overlap kOverlap>
const Counters& BodyCollide<Tree, kOverlap>::counters() const {
    return state<BodyCollideState<Tree, kOverlap>>(state_)->counters;
}

}  // namespace espalier
