// SPDX-License-Identifier: MIT
// All contacts of two bodies: those of every pair of parts whose boxes overlap. Included by one source file
// for each tree and overlap test, so that a program carries only what it names.
#pragma once

#include "../pair/pair_state.h"
#include "../pair/tree_codecs.h"
#include "espalier/body_contacts.h"
#include "pair_turn.h"

namespace espalier {

template <class Tree, Overlap kOverlap>
struct BodyContactsState : BodyContactPairs<PairState<typename PairCodecs<Tree>::template All<kOverlap>>> {
    BodyContact* buffer;
    std::size_t capacity;
    std::uint64_t count;

    Status begin(Status walk_status, BodyContact* to, std::size_t room) {
        this->verdict = Verdict::kUnresolved;
        buffer = to;
        capacity = room;
        count = 0;
        Status status = this->template check<Tree>(walk_status);
        if (status == Status::kOk && !to && room > 0) status = Status::kInvalidArgument;
        this->ready = status == Status::kOk;
        return status;
    }

    bool begin() { return this->begin_pair(); }
    /// Never ends the search.
    bool at_leaves() {
        return this->pair.walk.codec().for_contacts(&this->pair.counters, [this](const Contact& contact) {
            if (count < capacity) {
                BodyContact* to = buffer + count;
                to->found = contact;
                place_found(this->walk, to);
            }
            ++count;
            return false;
        });
    }
    void at_contact() {}
    Verdict at_end() const { return count > 0 ? Verdict::kColliding : Verdict::kDisjoint; }
};

template <class Tree, Overlap kOverlap>
Status BodyContacts<Tree, kOverlap>::begin(const Body& a, const Body& b, const Pose& pose,
                                           BodyContact* buffer, std::size_t capacity) {
    auto* s = make_state<BodyContactsState<Tree, kOverlap>>(state_);
    return s->begin(s->start(a, b, pose), buffer, capacity);
}

template <class Tree, Overlap kOverlap>
Status BodyContacts<Tree, kOverlap>::begin_self(const Body& body, BodyContact* buffer, std::size_t capacity) {
    auto* s = make_state<BodyContactsState<Tree, kOverlap>>(state_);
    return s->begin(s->start_self(body), buffer, capacity);
}

template <class Tree, Overlap kOverlap>
Verdict BodyContacts<Tree, kOverlap>::step(const Budget& budget) {
    auto* s = state<BodyContactsState<Tree, kOverlap>>(state_);
    s->run(s, budget);
    return s->verdict;
}

template <class Tree, Overlap kOverlap>
Verdict BodyContacts<Tree, kOverlap>::verdict() const {
    return state<BodyContactsState<Tree, kOverlap>>(state_)->verdict;
}

template <class Tree, Overlap kOverlap>
std::uint64_t BodyContacts<Tree, kOverlap>::count() const {
    return state<BodyContactsState<Tree, kOverlap>>(state_)->count;
}

template <class Tree, Overlap kOverlap>
Status BodyContacts<Tree, kOverlap>::status() const {
    const auto* s = state<BodyContactsState<Tree, kOverlap>>(state_);
    return s->count > s->capacity ? Status::kBufferFull : Status::kOk;
}

template <class Tree, Overlap kOverlap>
const Counters& BodyContacts<Tree, kOverlap>::counters() const {
    return state<BodyContactsState<Tree, kOverlap>>(state_)->pair.counters;
}

}  // namespace espalier
