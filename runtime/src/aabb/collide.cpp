// SPDX-License-Identifier: MIT
// First contact on aabb trees (van den Bergen 1998, section 3), with a temporal cue.
#include "../pair/leaf_contacts.h"
#include "../pair/query_state.h"
#include "espalier/aabb_query.h"
#include "pair_walk.h"

namespace espalier {
namespace {

struct CollideState {
    PairMeshes pair;
    AabbPairWalk walk;
    Counters counters;
    Contact contact;
    Verdict verdict;
    Overlap overlap;
    Cue* cue;
    bool ready;
};

bool cue_still_holds(CollideState* s) {
    const Cue* cue = s->cue;
    if (!cue || !cue->valid || cue->triangle_a >= s->pair.mesh[0].triangle_count ||
        cue->triangle_b >= s->pair.mesh[1].triangle_count)
        return false;
    ++s->counters.triangle_tests;
    ++s->counters.exact_tests;
    return test_triangles(s->pair, s->walk.frame(), cue->triangle_a, cue->triangle_b, &s->contact);
}

void remember(CollideState* s) {
    if (s->cue) *s->cue = Cue{s->contact.triangle_a, s->contact.triangle_b, true};
}

template <Overlap kOverlap>
void run(CollideState* s, const Budget& budget) {
    const std::uint64_t limit = budget_limit(budget, s->counters);
    for (;;) {
        const WalkEvent event = s->walk.next<kOverlap>(budget, limit, &s->counters);
        if (event == WalkEvent::kBudgetSpent) return;
        if (event == WalkEvent::kExhausted) {
            s->verdict = Verdict::kDisjoint;
            return;
        }
        const PathEnd& a = s->walk.a();
        const PathEnd& b = s->walk.b();
        const auto keep = [s](const Contact& contact) {
            s->contact = contact;
            return true;
        };
        if (for_leaf_contacts(s->pair, s->walk.frame(), a.first, a.kind, b.first, b.kind, &s->counters,
                              keep)) {
            s->verdict = Verdict::kColliding;
            remember(s);
            return;
        }
    }
}

}  // namespace

Status AabbCollide::begin(const PartView& a, const PartView& b, const Pose& pose, Overlap overlap, Cue* cue) {
    CollideState* s = make_state<CollideState>(state_);
    s->verdict = Verdict::kUnresolved;
    s->ready = false;
    s->counters = Counters();
    if (!a.aabb.nodes || !b.aabb.nodes) return Status::kNoTree;
    PairFrame frame;
    const Status status = make_pair_frame(a, b, pose, &frame);
    if (status != Status::kOk) return status;
    s->pair.set(a, b);
    s->overlap = overlap;
    s->cue = cue;
    s->walk.begin(a.aabb, b.aabb, frame);
    s->ready = true;
    if (cue_still_holds(s)) {
        s->verdict = Verdict::kColliding;
        remember(s);
    }
    return Status::kOk;
}

Verdict AabbCollide::step(const Budget& budget) {
    CollideState* s = state<CollideState>(state_);
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

Verdict AabbCollide::verdict() const {
    return state<CollideState>(state_)->verdict;
}

const Contact& AabbCollide::contact() const {
    return state<CollideState>(state_)->contact;
}

const Counters& AabbCollide::counters() const {
    return state<CollideState>(state_)->counters;
}

}  // namespace espalier
