// SPDX-License-Identifier: MIT
// First contact and all contacts on box trees. Included by one source file for each overlap test, so that a
// program carries only the tests it names.
#pragma once

#include "../pair/query_state.h"
#include "leaf.h"
#include "pair_walk.h"

namespace espalier {

/// What both queries keep.
template <BoxOverlap kOverlap>
struct BoxPairState {
    PairMeshes pair;
    std::uint32_t leaf_triangles[2];
    BoxPairWalk<kOverlap> walk;
    Counters counters;
    Verdict verdict;
    bool ready;

    Status begin(const PartView& a, const PartView& b, const Pose& pose) {
        verdict = Verdict::kUnresolved;
        ready = false;
        counters = Counters();
        if (a.box.leaf_count == 0 || b.box.leaf_count == 0) return Status::kNoTree;
        PairFrame frame;
        const Status status = make_pair_frame(a, b, pose, &frame);
        if (status != Status::kOk) return status;
        pair = box_pair_meshes(a, b);
        leaf_triangles[0] = a.box.leaf_triangles;
        leaf_triangles[1] = b.box.leaf_triangles;
        walk.begin(a.box, b.box, frame);
        ready = true;
        return Status::kOk;
    }

    BoxLeaf leaf(unsigned side) const {
        return box_leaf(walk.lanes(side), walk.lane(side), leaf_triangles[side],
                        pair.mesh[side].triangle_count);
    }

    /// Gives every contact to `found` until it returns true (the verdict is then kColliding), the pairs are
    /// exhausted (`at_end`) or the budget is spent.
    template <bool kOrdered, class Found>
    void run(const Budget& budget, Verdict (*at_end)(const BoxPairState&), Found found) {
        const std::uint64_t limit = budget_limit(budget, counters);
        for (;;) {
            const BoxEvent event = walk.template next<kOrdered>(budget, limit, &counters);
            if (event == BoxEvent::kBudgetSpent) return;
            if (event == BoxEvent::kExhausted) {
                verdict = at_end(*this);
                return;
            }
            if (for_box_leaf_contacts(pair, walk.frame(), leaf(0), leaf(1), &counters, found)) {
                verdict = Verdict::kColliding;
                return;
            }
        }
    }
};

template <BoxOverlap kOverlap>
struct BoxCollideState : BoxPairState<kOverlap> {
    Contact contact;
    Cue* cue;

    bool cue_still_holds() {
        if (!cue || !cue->valid || cue->triangle_a >= this->pair.mesh[0].triangle_count ||
            cue->triangle_b >= this->pair.mesh[1].triangle_count)
            return false;
        ++this->counters.triangle_tests;
        ++this->counters.exact_tests;
        return test_triangles(this->pair, this->walk.frame(), cue->triangle_a, cue->triangle_b, &contact);
    }

    void remember() {
        if (cue) *cue = Cue{contact.triangle_a, contact.triangle_b, true};
    }
};

template <BoxOverlap kOverlap>
struct BoxContactsState : BoxPairState<kOverlap> {
    Contact* buffer;
    std::size_t capacity;
    std::uint64_t count;
};

template <BoxOverlap kOverlap>
Status BoxCollide<kOverlap>::begin(const PartView& a, const PartView& b, const Pose& pose, Cue* cue) {
    auto* s = make_state<BoxCollideState<kOverlap>>(state_);
    s->cue = cue;
    const Status status = s->BoxPairState<kOverlap>::begin(a, b, pose);
    if (status == Status::kOk && s->cue_still_holds()) s->verdict = Verdict::kColliding;
    return status;
}

template <BoxOverlap kOverlap>
Verdict BoxCollide<kOverlap>::step(const Budget& budget) {
    auto* s = state<BoxCollideState<kOverlap>>(state_);
    if (!s->ready || s->verdict != Verdict::kUnresolved) return s->verdict;
    s->template run<true>(
        budget, [](const BoxPairState<kOverlap>&) { return Verdict::kDisjoint; },
        [s](const Contact& contact) {
            s->contact = contact;
            s->remember();
            return true;
        });
    return s->verdict;
}

template <BoxOverlap kOverlap>
Verdict BoxCollide<kOverlap>::verdict() const {
    return state<BoxCollideState<kOverlap>>(state_)->verdict;
}

template <BoxOverlap kOverlap>
const Contact& BoxCollide<kOverlap>::contact() const {
    return state<BoxCollideState<kOverlap>>(state_)->contact;
}

template <BoxOverlap kOverlap>
const Counters& BoxCollide<kOverlap>::counters() const {
    return state<BoxCollideState<kOverlap>>(state_)->counters;
}

template <BoxOverlap kOverlap>
Status BoxContacts<kOverlap>::begin(const PartView& a, const PartView& b, const Pose& pose, Contact* buffer,
                                    std::size_t capacity) {
    auto* s = make_state<BoxContactsState<kOverlap>>(state_);
    s->buffer = buffer;
    s->capacity = capacity;
    s->count = 0;
    const Status status = s->BoxPairState<kOverlap>::begin(a, b, pose);
    if (status != Status::kOk || buffer || capacity == 0) return status;
    s->ready = false;
    return Status::kInvalidArgument;
}

template <BoxOverlap kOverlap>
Verdict BoxContacts<kOverlap>::step(const Budget& budget) {
    auto* s = state<BoxContactsState<kOverlap>>(state_);
    if (!s->ready || s->verdict != Verdict::kUnresolved) return s->verdict;
    s->template run<false>(
        budget,
        [](const BoxPairState<kOverlap>& base) {
            const auto& all = static_cast<const BoxContactsState<kOverlap>&>(base);
            return all.count > 0 ? Verdict::kColliding : Verdict::kDisjoint;
        },
        [s](const Contact& contact) {
            if (s->count < s->capacity) s->buffer[s->count] = contact;
            ++s->count;
            return false;
        });
    return s->verdict;
}

template <BoxOverlap kOverlap>
Verdict BoxContacts<kOverlap>::verdict() const {
    return state<BoxContactsState<kOverlap>>(state_)->verdict;
}

template <BoxOverlap kOverlap>
std::uint64_t BoxContacts<kOverlap>::count() const {
    return state<BoxContactsState<kOverlap>>(state_)->count;
}

template <BoxOverlap kOverlap>
Status BoxContacts<kOverlap>::status() const {
    const auto* s = state<BoxContactsState<kOverlap>>(state_);
    return s->count > s->capacity ? Status::kBufferFull : Status::kOk;
}

template <BoxOverlap kOverlap>
const Counters& BoxContacts<kOverlap>::counters() const {
    return state<BoxContactsState<kOverlap>>(state_)->counters;
}

}  // namespace espalier
