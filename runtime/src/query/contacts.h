// SPDX-License-Identifier: MIT
// All contacts, on any tree with a pair codec. Included by one source file for each tree and overlap test, so
// that a program carries only what it names.
#pragma once

#include "../base/assert.h"
#include "../pair/pair_state.h"
#include "../pair/tree_codecs.h"
#include "espalier/contacts.h"

namespace espalier {

/// A query that collects all items of a kind: contacts, or witnesses.
template <class Codec, class Item>
struct ListState : PairState<Codec> {
    Item* buffer;
    std::size_t capacity;
    std::uint64_t count;

    Status begin(const ShapeView& a, const ShapeView& b, const Pose& pose, Item* to, std::size_t room) {
        buffer = to;
        capacity = room;
        count = 0;
        const Status status = PairState<Codec>::begin(a, b, pose);
        if (status != Status::kOk || to || room == 0) return status;
        this->ready = false;
        return Status::kInvalidArgument;
    }

    /// Never ends the search.
    bool keep(const Item& item) {
        ESPALIER_ASSERT(buffer || capacity == 0);
        if (count < capacity) buffer[count] = item;
        ++count;
        return false;
    }

    Verdict at_end() const { return count > 0 ? Verdict::kColliding : Verdict::kDisjoint; }
    Status status() const { return count > capacity ? Status::kBufferFull : Status::kOk; }
};

template <class Tree, Overlap kOverlap>
using ContactsState = ListState<typename PairCodecs<Tree>::template All<kOverlap>, Contact>;

template <class Tree, Overlap kOverlap>
Status Contacts<Tree, kOverlap>::begin(const ShapeView& a, const ShapeView& b, const Pose& pose,
                                       Contact* buffer, std::size_t capacity) {
    return make_state<ContactsState<Tree, kOverlap>>(state_)->begin(a, b, pose, buffer, capacity);
}

template <class Tree, Overlap kOverlap>
Verdict Contacts<Tree, kOverlap>::step(const Budget& budget) {
    auto* s = state<ContactsState<Tree, kOverlap>>(state_);
    const auto keep = [s](const Contact& contact) { return s->keep(contact); };
    s->run(
        budget, [s, &keep] { return s->walk.codec().for_contacts(&s->counters, keep); },
        [s] { return s->at_end(); });
    return s->verdict;
}

template <class Tree, Overlap kOverlap>
Verdict Contacts<Tree, kOverlap>::verdict() const {
    return state<ContactsState<Tree, kOverlap>>(state_)->verdict;
}

template <class Tree, Overlap kOverlap>
std::uint64_t Contacts<Tree, kOverlap>::count() const {
    return state<ContactsState<Tree, kOverlap>>(state_)->count;
}

template <class Tree, Overlap kOverlap>
Status Contacts<Tree, kOverlap>::status() const {
    return state<ContactsState<Tree, kOverlap>>(state_)->status();
}

template <class Tree, Overlap kOverlap>
const Counters& Contacts<Tree, kOverlap>::counters() const {
    return state<ContactsState<Tree, kOverlap>>(state_)->counters;
}

}  // namespace espalier
