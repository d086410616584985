// SPDX-License-Identifier: MIT
// First contact, with a temporal cue (van den Bergen 1998, section 3), on any tree with a pair codec.
// Included by one source file for each tree and overlap test, so that a program carries only what it names.
#pragma once

#include "../base/assert.h"
#include "../pair/leaf_contacts.h"
#include "../pair/pair_state.h"
#include "../pair/tree_codecs.h"
#include "espalier/collide.h"

namespace espalier {

inline Cue cue_of(const Contact& contact) {
    return Cue{contact.triangle_a, contact.triangle_b, true};
}

/// Whether a cue names triangles of both parts.
inline bool usable(const Cue* cue, const PairMeshes& meshes) {
    return cue && cue->valid && cue->triangle_a < meshes.mesh[0].triangle_count &&
           cue->triangle_b < meshes.mesh[1].triangle_count;
}

template <class Tree, Overlap kOverlap>
struct CollideState : PairState<typename PairCodecs<Tree>::template First<kOverlap>> {
    typename Tree::Found contact;
    Cue* cue;

    bool cue_still_holds() {
        if (!usable(cue, this->walk.codec().meshes())) return false;
        ++this->counters.triangle_tests;
        ++this->counters.exact_tests;
        return this->walk.codec().test_pair(cue->triangle_a, cue->triangle_b, &contact);
    }

    bool find() {
        if (!this->walk.codec().find_contact(&this->counters, &contact)) return false;
        if (cue) *cue = cue_of(contact);
        return true;
    }
};

template <class Tree, Overlap kOverlap>
Status Collide<Tree, kOverlap>::begin(const ShapeView& a, const ShapeView& b, const Pose& pose, Cue* cue) {
    auto* s = make_state<CollideState<Tree, kOverlap>>(state_);
    s->cue = cue;
    const Status status = s->begin(a, b, pose);
    if (status == Status::kOk && s->cue_still_holds()) s->verdict = Verdict::kColliding;
    return status;
}

template <class Tree, Overlap kOverlap>
Verdict Collide<Tree, kOverlap>::step(const Budget& budget) {
    auto* s = state<CollideState<Tree, kOverlap>>(state_);
    s->run(
        budget, [s] { return s->find(); }, [] { return Verdict::kDisjoint; });
    return s->verdict;
}

template <class Tree, Overlap kOverlap>
Verdict Collide<Tree, kOverlap>::verdict() const {
    return state<CollideState<Tree, kOverlap>>(state_)->verdict;
}

template <class Tree, Overlap kOverlap>
const typename Tree::Found& Collide<Tree, kOverlap>::contact() const {
    ESPALIER_ASSERT(verdict() == Verdict::kColliding);
    return state<CollideState<Tree, kOverlap>>(state_)->contact;
}

template <class Tree, Overlap kOverlap>
const Counters& Collide<Tree, kOverlap>::counters() const {
    return state<CollideState<Tree, kOverlap>>(state_)->counters;
}

}  // namespace espalier
