// SPDX-License-Identifier: MIT
// All contacts on aabb trees.
#include "../pair/leaf_contacts.h"
#include "../pair/query_state.h"
#include "espalier/aabb_query.h"
#include "pair_walk.h"

namespace espalier {
namespace {

struct ContactsState {
    PairMeshes pair;
    AabbPairWalk walk;
    Counters counters;
    Contact* buffer;
    std::size_t capacity;
    std::uint64_t count;
    Verdict verdict;
    Overlap overlap;
    bool ready;
};

template <Overlap kOverlap>
void run(ContactsState* s, const Budget& budget) {
    const std::uint64_t limit = budget_limit(budget, s->counters);
    for (;;) {
        const WalkEvent event = s->walk.next<kOverlap>(budget, limit, &s->counters);
        if (event == WalkEvent::kBudgetSpent) return;
        if (event == WalkEvent::kExhausted) {
            s->verdict = s->count > 0 ? Verdict::kColliding : Verdict::kDisjoint;
            return;
        }
        const PathEnd& a = s->walk.a();
        const PathEnd& b = s->walk.b();
        const auto append = [s](const Contact& contact) {
            if (s->count < s->capacity) s->buffer[s->count] = contact;
            ++s->count;
            return false;
        };
        for_leaf_contacts(s->pair, s->walk.frame(), a.first, a.kind, b.first, b.kind, &s->counters, append);
    }
}

}  // namespace

Status AabbContacts::begin(const PartView& a, const PartView& b, const Pose& pose, Contact* buffer,
                           std::size_t capacity, Overlap overlap) {
    ContactsState* s = make_state<ContactsState>(state_);
    s->verdict = Verdict::kUnresolved;
    s->ready = false;
    s->counters = Counters();
    s->count = 0;
    s->buffer = buffer;
    s->capacity = capacity;
    if (!a.aabb.nodes || !b.aabb.nodes) return Status::kNoTree;
    if (!buffer && capacity > 0) return Status::kInvalidArgument;
    PairFrame frame;
    const Status status = make_pair_frame(a, b, pose, &frame);
    if (status != Status::kOk) return status;
    s->pair.set(a, b);
    s->overlap = overlap;
    s->walk.begin(a.aabb, b.aabb, frame);
    s->ready = true;
    return Status::kOk;
}

Verdict AabbContacts::step(const Budget& budget) {
    ContactsState* s = state<ContactsState>(state_);
    if (s->ready && s->verdict == Verdict::kUnresolved) {
#if !defined(ESPALIER_SAT_LITE_ONLY)
        if (s->overlap == Overlap::kSat) {
            run<Overlap::kSat>(s, budget);
            return s->verdict;
        }
#endif
        run<Overlap::kSatLite>(s, budget);
    }
    return s->verdict;
}

Verdict AabbContacts::verdict() const {
    return state<ContactsState>(state_)->verdict;
}

std::uint64_t AabbContacts::count() const {
    return state<ContactsState>(state_)->count;
}

Status AabbContacts::status() const {
    const ContactsState* s = state<ContactsState>(state_);
    return s->count > s->capacity ? Status::kBufferFull : Status::kOk;
}

const Counters& AabbContacts::counters() const {
    return state<ContactsState>(state_)->counters;
}

}  // namespace espalier
