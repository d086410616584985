// SPDX-License-Identifier: MIT
// The walk with the caller's operation, and all witnesses, on cell trees (Zachmann 1997). Included by one
// source file for each overlap test, so that a program carries only the tests it names.
#pragma once

#include "../base/assert.h"
#include "../query/contacts.h"
#include "espalier/cell_walk.h"
#include "pair_codec.h"

namespace espalier {

template <Overlap kOverlap>
using CellWalkState = PairState<PairCodecs<CellTreeView>::First<kOverlap>>;

template <Overlap kOverlap>
using CellWitnessesState = ListState<PairCodecs<CellTreeView>::All<kOverlap>, CellWitness>;

inline CellLeaf public_leaf(const CellTreeView& tree, const CellLists& lists, const CellVolume& cell) {
    CellLeaf leaf;
    leaf.triangles = tree.triangles + lists.first_triangle;
    leaf.triangle_count = lists.triangle_count;
    leaf.edges = tree.edges + lists.first_edge;
    leaf.edge_count = lists.edge_count;
    for (unsigned k = 0; k < 3; ++k) {
        leaf.lo[k] = cell.lo[k];
        leaf.hi[k] = cell.hi[k];
    }
    return leaf;
}

template <Overlap kOverlap>
Status CellWalk<kOverlap>::begin(const ShapeView& a, const ShapeView& b, const Pose& pose, double reach) {
    auto* s = make_state<CellWalkState<kOverlap>>(state_);
    const Status status = s->begin(a, b, pose);
    if (status != Status::kOk) return status;
    // Infinity is beyond float's range too.
    s->ready = reach >= 0 && reach < 1e30;
    if (!s->ready) return Status::kInvalidArgument;
    s->walk.set_limit(reach);
    return Status::kOk;
}

template <Overlap kOverlap>
CellEvent CellWalk<kOverlap>::next(const Budget& budget, std::uint64_t limit) {
    auto* s = state<CellWalkState<kOverlap>>(state_);
    if (!s->ready) return CellEvent::kBudgetSpent;
    if (s->verdict != Verdict::kUnresolved) return CellEvent::kExhausted;
    switch (s->walk.next(budget, limit, &s->counters)) {
        case WalkEvent::kLeafPair:
            ++s->counters.leaf_pairs;
            return CellEvent::kLeafPair;
        case WalkEvent::kExhausted:
            s->verdict = Verdict::kDisjoint;
            return CellEvent::kExhausted;
        case WalkEvent::kBudgetSpent:
            break;
    }
    return CellEvent::kBudgetSpent;
}

template <Overlap kOverlap>
std::uint64_t CellWalk<kOverlap>::node_test_limit(const Budget& budget) const {
    return budget_limit(budget, counters());
}

template <Overlap kOverlap>
CellPair CellWalk<kOverlap>::pair() const {
    const auto* s = state<CellWalkState<kOverlap>>(state_);
    const auto& codec = s->walk.codec();
    ESPALIER_ASSERT(s->ready && codec.at_leaves());
    CellPair pair;
    pair.a = public_leaf(codec.tree(0), codec.lists(0), codec.volume(0));
    pair.b = public_leaf(codec.tree(1), codec.lists(1), codec.volume(1));
    return pair;
}

template <Overlap kOverlap>
Verdict CellWalk<kOverlap>::stop() {
    auto* s = state<CellWalkState<kOverlap>>(state_);
    if (s->ready) s->verdict = Verdict::kColliding;
    return s->verdict;
}

template <Overlap kOverlap>
void CellWalk<kOverlap>::set_reach(double reach) {
    auto* s = state<CellWalkState<kOverlap>>(state_);
    if (s->ready && reach >= 0 && reach < 1e30 && upward(reach) < s->walk.reach()) s->walk.set_limit(reach);
}

template <Overlap kOverlap>
Verdict CellWalk<kOverlap>::verdict() const {
    return state<CellWalkState<kOverlap>>(state_)->verdict;
}

template <Overlap kOverlap>
const Counters& CellWalk<kOverlap>::counters() const {
    return state<CellWalkState<kOverlap>>(state_)->counters;
}

template <Overlap kOverlap>
double CellWalk<kOverlap>::triangle_distance(std::uint32_t triangle_a, std::uint32_t triangle_b,
                                             double* point_a, double* point_b) const {
    const auto* s = state<CellWalkState<kOverlap>>(state_);
    const PairMeshes& meshes = s->walk.codec().meshes();
    ESPALIER_ASSERT(triangle_a < meshes.mesh[0].triangle_count && triangle_b < meshes.mesh[1].triangle_count);
    double point[2][3];
    const double distance = espalier::triangle_distance(
        exact_triangle_a(meshes.mesh[0], triangle_a),
        exact_triangle_b(meshes.mesh[1], triangle_b, s->walk.frame()), point[0], point[1]);
    for (unsigned k = 0; k < 3; ++k) {
        if (point_a) point_a[k] = point[0][k] + meshes.origin_a[k];
        if (point_b) point_b[k] = point[1][k] + meshes.origin_a[k];
    }
    return distance;
}

template <Overlap kOverlap>
Status CellWitnesses<kOverlap>::begin(const ShapeView& a, const ShapeView& b, const Pose& pose,
                                      CellWitness* buffer, std::size_t capacity) {
    return make_state<CellWitnessesState<kOverlap>>(state_)->begin(a, b, pose, buffer, capacity);
}

template <Overlap kOverlap>
Verdict CellWitnesses<kOverlap>::step(const Budget& budget) {
    auto* s = state<CellWitnessesState<kOverlap>>(state_);
    const auto keep = [s](const CellWitness& witness) { return s->keep(witness); };
    s->run(
        budget, [s, &keep] { return s->walk.codec().for_witnesses(&s->counters, keep); },
        [s] { return s->at_end(); });
    return s->verdict;
}

template <Overlap kOverlap>
Verdict CellWitnesses<kOverlap>::verdict() const {
    return state<CellWitnessesState<kOverlap>>(state_)->verdict;
}

template <Overlap kOverlap>
std::uint64_t CellWitnesses<kOverlap>::count() const {
    return state<CellWitnessesState<kOverlap>>(state_)->count;
}

template <Overlap kOverlap>
Status CellWitnesses<kOverlap>::status() const {
    return state<CellWitnessesState<kOverlap>>(state_)->status();
}

template <Overlap kOverlap>
const Counters& CellWitnesses<kOverlap>::counters() const {
    return state<CellWitnessesState<kOverlap>>(state_)->counters;
}

}  // namespace espalier
