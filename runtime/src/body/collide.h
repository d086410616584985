// SPDX-License-Identifier: MIT
// First contact of two bodies: the first contact of a pair of parts whose boxes overlap. Included by one
// source file for each tree and overlap test, so that a program carries only what it names.
#pragma once

#include "../query/collide.h"
#include "espalier/body_collide.h"
#include "pair_turn.h"

namespace espalier {

template <class Tree, Overlap kOverlap>
struct BodyCollideState : BodyContactPairs<CollideState<Tree, kOverlap>> {
    OfParts<typename Tree::Found> found;
    BodyCue* cue;

    Status begin(Status walk_status, BodyCue* new_cue) {
        this->verdict = Verdict::kUnresolved;
        cue = new_cue;
        const Status status = this->template check<Tree>(walk_status);
        this->ready = status == Status::kOk;
        if (this->ready && cue && cue->cue.valid && this->walk.take_any_parts(cue->part_a, cue->part_b))
            try_cue();
        return status;
    }

    /// The pair of parts that touched last time; that they do is tested again by its triangles alone.
    void try_cue() {
        if (!begin_at(&cue->cue)) return;
        this->in_pair = false;
        if (!this->pair.cue_still_holds()) return;
        this->verdict = Verdict::kColliding;
        at_contact();
    }

    bool begin_at(Cue* pair_cue) {
        this->pair.cue = pair_cue;
        return this->begin_pair();
    }

    bool begin() { return begin_at(nullptr); }
    bool at_leaves() { return this->pair.find(); }
    Verdict at_end() const { return Verdict::kDisjoint; }
    void at_contact() {
        found.found = this->pair.contact;
        place_found(this->walk, &found);
        if (cue) *cue = BodyCue{found.part_a, found.part_b, cue_of(this->pair.contact)};
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
    s->run(s, budget);
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
    return state<BodyCollideState<Tree, kOverlap>>(state_)->pair.counters;
}

}  // namespace espalier
