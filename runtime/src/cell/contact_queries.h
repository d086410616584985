// SPDX-License-Identifier: MIT
// The walk, first witness, all witnesses and all contacts on cell trees. Included by one source file for each
// overlap test, so that a program carries only the tests it names.
#pragma once

#include "../pair/query_state.h"
#include "clip.h"
#include "pair_walk.h"
#include "polygons.h"

namespace espalier {

/// What all of them keep.
template <CellOverlap kOverlap>
struct CellPairState {
    CellParts parts;
    InverseFrame inverse;
    CellPairWalk<typename CellTestOf<kOverlap>::Type> walk;
    Counters counters;
    Verdict verdict;
    bool ready;

    Status begin(const PartView& a, const PartView& b, const Pose& pose, float reach = 0) {
        verdict = Verdict::kUnresolved;
        ready = false;
        counters = Counters();
        if (a.cell.unit_count == 0 || b.cell.unit_count == 0) return Status::kNoTree;
        PairFrame frame;
        const Status status = make_pair_frame(a, b, pose, &frame);
        if (status != Status::kOk) return status;
        parts.set(a, b);
        inverse.begin(frame);
        walk.begin(a.cell, b.cell, frame, reach);
        ready = true;
        return Status::kOk;
    }

    WalkedLeaf leaf_a() const {
        WalkedLeaf leaf;
        leaf.unit = walk.range(0).node;
        leaf.lists = cell_leaf_lists(parts.tree[0].nodes, walk.range(0));
        leaf.cell = leaf.in_a = walk.template volume<0>();
        return leaf;
    }

    WalkedLeaf leaf_b() const {
        WalkedLeaf leaf;
        leaf.unit = walk.range(1).node;
        leaf.lists = cell_leaf_lists(parts.tree[1].nodes, walk.range(1));
        leaf.cell = walk.template volume<1>();
        leaf.in_a = enclose_in_a(leaf.cell, walk.frame());
        return leaf;
    }

    /// Gives every pair of leaves to `operation(a, b)` until it returns true (kColliding), the pairs are
    /// exhausted
    /// (`at_end`) or the budget is spent.
    template <class AtEnd, class Operation>
    void run(const Budget& budget, AtEnd at_end, Operation operation) {
        if (!ready || verdict != Verdict::kUnresolved) return;
        const std::uint64_t limit = budget_limit(budget, counters);
        for (;;) {
            const CellEvent event = walk.next(budget, limit, &counters);
            if (event == CellEvent::kBudgetSpent) return;
            if (event == CellEvent::kExhausted) {
                verdict = at_end();
                return;
            }
            if (operation(leaf_a(), leaf_b())) {
                verdict = Verdict::kColliding;
                return;
            }
        }
    }
};

template <CellOverlap kOverlap>
CellLeaf public_leaf(const CellTreeView& tree, const CellLists& lists, const CellVolume& cell) {
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

/// The smallest float that is not below a reach.
inline float reach_of(double reach) {
    return reach > 0 ? static_cast<float>(reach * (1 + 1e-6)) : 0.0f;
}

template <CellOverlap kOverlap>
Status CellWalk<kOverlap>::begin(const PartView& a, const PartView& b, const Pose& pose, double reach) {
    auto* s = make_state<CellPairState<kOverlap>>(state_);
    // Infinity is beyond float's range too.
    const bool sound = reach >= 0 && reach < 1e30;
    const Status status = s->begin(a, b, pose, sound ? reach_of(reach) : 0.0f);
    if (status != Status::kOk || sound) return status;
    s->ready = false;
    return Status::kInvalidArgument;
}

template <CellOverlap kOverlap>
CellEvent CellWalk<kOverlap>::next(const Budget& budget, std::uint64_t limit) {
    auto* s = state<CellPairState<kOverlap>>(state_);
    if (!s->ready) return CellEvent::kBudgetSpent;
    if (s->verdict != Verdict::kUnresolved) return CellEvent::kExhausted;
    const CellEvent event = s->walk.next(budget, limit, &s->counters);
    if (event == CellEvent::kExhausted) s->verdict = Verdict::kDisjoint;
    if (event == CellEvent::kLeafPair) ++s->counters.leaf_pairs;
    return event;
}

template <CellOverlap kOverlap>
std::uint64_t CellWalk<kOverlap>::node_test_limit(const Budget& budget) const {
    return budget_limit(budget, counters());
}

template <CellOverlap kOverlap>
CellPair CellWalk<kOverlap>::pair() const {
    const auto* s = state<CellPairState<kOverlap>>(state_);
    CellPair pair;
    pair.a =
        public_leaf<kOverlap>(s->parts.tree[0], cell_leaf_lists(s->parts.tree[0].nodes, s->walk.range(0)),
                              s->walk.template volume<0>());
    pair.b =
        public_leaf<kOverlap>(s->parts.tree[1], cell_leaf_lists(s->parts.tree[1].nodes, s->walk.range(1)),
                              s->walk.template volume<1>());
    return pair;
}

template <CellOverlap kOverlap>
Verdict CellWalk<kOverlap>::stop() {
    auto* s = state<CellPairState<kOverlap>>(state_);
    if (s->ready) s->verdict = Verdict::kColliding;
    return s->verdict;
}

template <CellOverlap kOverlap>
void CellWalk<kOverlap>::set_reach(double reach) {
    auto* s = state<CellPairState<kOverlap>>(state_);
    if (s->ready && reach >= 0 && reach < 1e30) s->walk.narrow_reach(reach_of(reach));
}

template <CellOverlap kOverlap>
Verdict CellWalk<kOverlap>::verdict() const {
    return state<CellPairState<kOverlap>>(state_)->verdict;
}

template <CellOverlap kOverlap>
const Counters& CellWalk<kOverlap>::counters() const {
    return state<CellPairState<kOverlap>>(state_)->counters;
}

template <CellOverlap kOverlap>
double CellWalk<kOverlap>::triangle_distance(std::uint32_t triangle_a, std::uint32_t triangle_b,
                                             double* point_a, double* point_b) const {
    const auto* s = state<CellPairState<kOverlap>>(state_);
    double point[2][3];
    const double distance = espalier::triangle_distance(
        exact_triangle_a(s->parts.pair.mesh[0], triangle_a),
        exact_triangle_b(s->parts.pair.mesh[1], triangle_b, s->walk.frame()), point[0], point[1]);
    for (unsigned k = 0; k < 3; ++k) {
        if (point_a) point_a[k] = point[0][k] + s->parts.pair.origin_a[k];
        if (point_b) point_b[k] = point[1][k] + s->parts.pair.origin_a[k];
    }
    return distance;
}

template <CellOverlap kOverlap>
struct CellCollideState : CellPairState<kOverlap> {
    CellWitness witness;
};

template <CellOverlap kOverlap>
Status CellCollide<kOverlap>::begin(const PartView& a, const PartView& b, const Pose& pose) {
    return make_state<CellCollideState<kOverlap>>(state_)->CellPairState<kOverlap>::begin(a, b, pose);
}

template <CellOverlap kOverlap>
Verdict CellCollide<kOverlap>::step(const Budget& budget) {
    auto* s = state<CellCollideState<kOverlap>>(state_);
    s->run(
        budget, [] { return Verdict::kDisjoint; },
        [s](const WalkedLeaf& a, const WalkedLeaf& b) {
            return for_polygon_pairs(s->parts, s->walk.frame(), s->inverse, a, b, &s->counters,
                                     [s](std::uint32_t triangle_a, std::uint32_t triangle_b) {
                                         return polygon_witness(s->parts, s->walk.frame(), triangle_a,
                                                                triangle_b, &s->witness);
                                     });
        });
    return s->verdict;
}

template <CellOverlap kOverlap>
Verdict CellCollide<kOverlap>::verdict() const {
    return state<CellCollideState<kOverlap>>(state_)->verdict;
}

template <CellOverlap kOverlap>
const CellWitness& CellCollide<kOverlap>::witness() const {
    return state<CellCollideState<kOverlap>>(state_)->witness;
}

template <CellOverlap kOverlap>
const Counters& CellCollide<kOverlap>::counters() const {
    return state<CellCollideState<kOverlap>>(state_)->counters;
}

/// Collects items of a kind: witnesses or contacts.
template <CellOverlap kOverlap, class Item>
struct CellListState : CellPairState<kOverlap> {
    CellHomes homes;
    Item* buffer;
    std::size_t capacity;
    std::uint64_t count;

    Status begin(const PartView& a, const PartView& b, const Pose& pose, Item* to, std::size_t room) {
        buffer = to;
        capacity = room;
        count = 0;
        const Status status = CellPairState<kOverlap>::begin(a, b, pose);
        if (status != Status::kOk) return status;
        homes.begin(this->walk.frame(), this->inverse);
        if (to || room == 0) return Status::kOk;
        this->ready = false;
        return Status::kInvalidArgument;
    }

    Verdict at_end() const { return count > 0 ? Verdict::kColliding : Verdict::kDisjoint; }
    Status status() const { return count > capacity ? Status::kBufferFull : Status::kOk; }

    /// Keeps an item whose elements are listed as `entry` of A's leaf and of B's, if it is at home here.
    bool keep(const Item& item, const WalkedLeaf& a, const WalkedLeaf& b, const std::uint32_t* entry,
              const bool* edge) {
        double in_a[3], in_b[3];
        for (unsigned k = 0; k < 3; ++k) in_a[k] = item.point[k] - this->parts.pair.origin_a[k];
        this->inverse.place(in_a, in_b);
        if (!homes.home(0, this->parts.tree[0], in_a, a.unit, entry[0], edge[0]) ||
            !homes.home(1, this->parts.tree[1], in_b, b.unit, entry[1], edge[1]))
            return false;
        if (count < capacity) buffer[count] = item;
        ++count;
        return false;
    }
};

template <CellOverlap kOverlap>
Status CellWitnesses<kOverlap>::begin(const PartView& a, const PartView& b, const Pose& pose,
                                      CellWitness* buffer, std::size_t capacity) {
    return make_state<CellListState<kOverlap, CellWitness>>(state_)->begin(a, b, pose, buffer, capacity);
}

template <CellOverlap kOverlap>
Verdict CellWitnesses<kOverlap>::step(const Budget& budget) {
    auto* s = state<CellListState<kOverlap, CellWitness>>(state_);
    s->run(
        budget, [s] { return s->at_end(); },
        [s](const WalkedLeaf& a, const WalkedLeaf& b) {
            return for_leaf_witnesses(s->parts, s->walk.frame(), a, b, &s->counters,
                                      [&](const CellWitness& witness) {
                                          const unsigned side = witness.edge_side;
                                          std::uint32_t entry[2];
                                          entry[side] = 3 * witness.edge_triangle + witness.edge_corner;
                                          entry[1 - side] = witness.triangle;
                                          const bool edge[2] = {side == 0, side == 1};
                                          return s->keep(witness, a, b, entry, edge);
                                      });
        });
    return s->verdict;
}

template <CellOverlap kOverlap>
Verdict CellWitnesses<kOverlap>::verdict() const {
    return state<CellListState<kOverlap, CellWitness>>(state_)->verdict;
}

template <CellOverlap kOverlap>
std::uint64_t CellWitnesses<kOverlap>::count() const {
    return state<CellListState<kOverlap, CellWitness>>(state_)->count;
}

template <CellOverlap kOverlap>
Status CellWitnesses<kOverlap>::status() const {
    return state<CellListState<kOverlap, CellWitness>>(state_)->status();
}

template <CellOverlap kOverlap>
const Counters& CellWitnesses<kOverlap>::counters() const {
    return state<CellListState<kOverlap, CellWitness>>(state_)->counters;
}

template <CellOverlap kOverlap>
Status CellContacts<kOverlap>::begin(const PartView& a, const PartView& b, const Pose& pose, Contact* buffer,
                                     std::size_t capacity) {
    return make_state<CellListState<kOverlap, Contact>>(state_)->begin(a, b, pose, buffer, capacity);
}

template <CellOverlap kOverlap>
Verdict CellContacts<kOverlap>::step(const Budget& budget) {
    auto* s = state<CellListState<kOverlap, Contact>>(state_);
    s->run(
        budget, [s] { return s->at_end(); },
        [s](const WalkedLeaf& a, const WalkedLeaf& b) {
            return for_polygon_pairs(s->parts, s->walk.frame(), s->inverse, a, b, &s->counters,
                                     [&](std::uint32_t triangle_a, std::uint32_t triangle_b) {
                                         Contact contact;
                                         const std::uint32_t entry[2] = {triangle_a, triangle_b};
                                         const bool edge[2] = {false, false};
                                         return test_triangles(s->parts.pair, s->walk.frame(), triangle_a,
                                                               triangle_b, &contact) &&
                                                s->keep(contact, a, b, entry, edge);
                                     });
        });
    return s->verdict;
}

template <CellOverlap kOverlap>
Verdict CellContacts<kOverlap>::verdict() const {
    return state<CellListState<kOverlap, Contact>>(state_)->verdict;
}

template <CellOverlap kOverlap>
std::uint64_t CellContacts<kOverlap>::count() const {
    return state<CellListState<kOverlap, Contact>>(state_)->count;
}

template <CellOverlap kOverlap>
Status CellContacts<kOverlap>::status() const {
    return state<CellListState<kOverlap, Contact>>(state_)->status();
}

template <CellOverlap kOverlap>
const Counters& CellContacts<kOverlap>::counters() const {
    return state<CellListState<kOverlap, Contact>>(state_)->counters;
}

}  // namespace espalier
