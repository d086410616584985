// SPDX-License-Identifier: MIT
// All contacts of two bodies: those of every pair of parts whose boxes overlap. Included by one source file
// for each tree and overlap test, so that a program carries only what it names.
#pragma once

#include "../base/assert.h"
#include "../pair/pair_state.h"
#include "../pair/tree_codecs.h"
#include "espalier/body_contacts.h"
#include "pair_turn.h"

namespace espalier {

template <class Tree, Overlap kOverlap>
struct BodyContactsState : BodyPairs {
    BodyContact* buffer;
    std::size_t capacity;
    std::uint64_t count;
    Verdict verdict;
    PairState<typename PairCodecs<Tree>::template All<kOverlap>> pair;

    Status begin(Status walk_status, BodyContact* to, std::size_t room) {
        verdict = Verdict::kUnresolved;
        buffer = to;
        capacity = room;
        count = 0;
        Status status = check<Tree>(walk_status);
        if (status == Status::kOk && !to && room > 0) status = Status::kInvalidArgument;
        ready = status == Status::kOk;
        return status;
    }

    /// Never ends the search.
    bool keep(const Contact& contact) {
        if (count < capacity) {
            BodyContact* to = buffer + count;
            to->found = contact;
            place_found(walk, to);
        }
        ++count;
        return false;
    }

    void run(const Budget& budget) {
        if (!ready || verdict != Verdict::kUnresolved) return;
        const std::uint64_t most_tests = budget_limit(budget, counters);
        for (;;) {
            if (!in_pair) {
                const WalkEvent event = walk.next<false>(0.0F, budget, most_tests, &counters);
                if (event == WalkEvent::kBudgetSpent) return;
                if (event == WalkEvent::kExhausted) break;
                const Status status = pair.begin(walk.shape_a(), walk.shape_b(), walk.pose());
                ESPALIER_ASSERT(status == Status::kOk);
                if (status != Status::kOk) return;
                pair.counters = counters;
                in_pair = true;
            }
            const auto keep_it = [this](const Contact& contact) { return keep(contact); };
            pair.run(
                rest_of(budget, most_tests),
                [this, &keep_it] { return pair.walk.codec().for_contacts(&pair.counters, keep_it); },
                [] { return Verdict::kDisjoint; });
            counters = pair.counters;
            if (pair.verdict == Verdict::kUnresolved) return;
            in_pair = false;
        }
        verdict = count > 0 ? Verdict::kColliding : Verdict::kDisjoint;
    }
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
    s->run(budget);
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
    return state<BodyContactsState<Tree, kOverlap>>(state_)->counters;
}

}  // namespace espalier
