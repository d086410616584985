// SPDX-License-Identifier: MIT
// Least distance of two parts on cell trees: the walk with another elementary operation (Zachmann 1997,
// "Simultaneous recursive traversal"), nearest pair first, everything pruned that cannot be nearer than the
// best pair of triangles found.
#include "../aabb/bound.h"
#include "../pair/distance_progress.h"
#include "../pair/query_state.h"
#include "leaf.h"
#include "pair_walk.h"

namespace espalier {
namespace {

/// The intervals of SAT lite as lower bounds of distances.
class CellBounds : public CellIntervals<CellOverlap::kSatLite> {
  public:
    void begin(const PairFrame& frame) {
        CellIntervals<CellOverlap::kSatLite>::begin(frame);
        const float none[3] = {0, 0, 0};
        set_axis(none);
    }
    void set_axis(const float* axis) { axis_ = best_axis(axis, frame()); }

    /// As CellIntervals::test. The gaps along a frame's axes are the sides of a box between the two cells;
    /// four roundings of relative 2^-24 are covered by shrinking the root.
    unsigned test(const Lanes& a, const Lanes& b, const CellDescent& d, float reach, float* gaps) const {
        F4 squared[2] = {splat(0.0f), splat(0.0f)};
        for (unsigned k = 0; k < 6; ++k) {
            const F4 gap = positive(axis_gap(a, b, d, k));
            const F4 side = k < 3 ? gap : gap * frame().scale4[k - 3];
            squared[k / 3] = squared[k / 3] + side * side;
        }
        float reaches[2][4];
        store4(reaches[0], interval_reach<0>(a.lo, a.hi, axis_));
        store4(reaches[1], interval_reach<1>(b.lo, b.hi, axis_));
        const F4 along =
            (pair_values(reaches[1], d.down[1], d.lane[1]) - pair_values(reaches[0], d.down[0], d.lane[0])) -
            frame().margin4;
        const F4 bound = max(along, sqrt(max(squared[0], squared[1])) * 0.9999995f);
        store4(gaps, bound);
        return bits(bound <= splat(reach));
    }

  private:
    BestAxis axis_;  // between the nearest points found so far
};

struct DistanceState : DistanceProgress {
    CellParts parts;
    CellPairWalk<CellBounds> walk;
    double elsewhere;  // a distance measured by others
};

/// Pairs at or beyond this distance do not matter any more.
double useful_distance(const DistanceState& s) {
    return s.useful_below(s.best.distance < s.elsewhere ? s.best.distance : s.elsewhere, false);
}

void update_lower(DistanceState* s) {
    s->raise_lower(useful_distance(*s), double(s->walk.open_gap()));
}

void improve(DistanceState* s) {
    const CellLists a = cell_leaf_lists(s->parts.tree[0].nodes, s->walk.range(0));
    const CellLists b = cell_leaf_lists(s->parts.tree[1].nodes, s->walk.range(1));
    const double before = s->best.distance;
    improve_by_leaves(s->parts.pair, s->walk.frame(), a.first_triangle, a.triangle_count, b.first_triangle,
                      b.triangle_count, &s->counters, &s->best);
    if (!(s->best.distance < before)) return;
    s->walk.test().set_axis(s->best.axis);
    s->walk.narrow_reach(upward(useful_distance(*s)));
}

void run(DistanceState* s, const Budget& budget) {
    const std::uint64_t limit = budget_limit(budget, s->counters);
    while (!s->satisfied()) {
        const CellEvent event = s->walk.next(budget, limit, &s->counters);
        if (event == CellEvent::kBudgetSpent) return;
        if (event == CellEvent::kExhausted) break;
        improve(s);
    }
    s->done = true;
}

}  // namespace

Status CellDistance::begin(const PartView& a, const PartView& b, const Pose& pose, const DistanceGoal& goal) {
    DistanceState* s = make_state<DistanceState>(state_);
    const bool sound = s->reset(goal);
    s->elsewhere = kInfiniteDistance;
    if (a.cell.unit_count == 0 || b.cell.unit_count == 0) return Status::kNoTree;
    if (!sound) return Status::kInvalidArgument;
    PairFrame frame;
    const Status status = make_pair_frame(a, b, pose, &frame);
    if (status != Status::kOk) return status;
    s->parts.set(a, b);
    s->walk.begin(a.cell, b.cell, frame, upward(goal.within));
    s->ready = true;
    return Status::kOk;
}

Verdict CellDistance::step(const Budget& budget) {
    DistanceState* s = state<DistanceState>(state_);
    if (s->ready && !s->done) {
        run(s, budget);
        update_lower(s);
    }
    return verdict();
}

void CellDistance::tighten(double distance) {
    DistanceState* s = state<DistanceState>(state_);
    if (!s->ready || !(distance >= 0) || !(distance < s->elsewhere)) return;
    s->elsewhere = distance;
    s->walk.narrow_reach(upward(useful_distance(*s)));
}

Verdict CellDistance::verdict() const {
    return state<DistanceState>(state_)->verdict();
}

bool CellDistance::done() const {
    return state<DistanceState>(state_)->done;
}

double CellDistance::lower() const {
    return state<DistanceState>(state_)->lower;
}

double CellDistance::upper() const {
    return state<DistanceState>(state_)->best.distance;
}

ClosestPair CellDistance::closest() const {
    const DistanceState* s = state<DistanceState>(state_);
    return s->closest(s->parts.pair.origin_a);
}

const Counters& CellDistance::counters() const {
    return state<DistanceState>(state_)->counters;
}

}  // namespace espalier
