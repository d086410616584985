// SPDX-License-Identifier: MIT
// Least distance of two parts on cell trees: the walk with another elementary operation (Zachmann 1997,
// "Simultaneous recursive traversal"), nearest pair first, everything pruned that cannot be nearer than the
// best pair of triangles found.
#include "aabb_bound.h"
#include "cell_leaf.h"
#include "cell_pair_walk.h"
#include "leaf_distance.h"
#include "query_state.h"

namespace espalier {
namespace {

constexpr double kInfinity = __builtin_huge_val();

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

struct DistanceState {
    CellParts parts;
    CellPairWalk<CellBounds> walk;
    DistanceGoal goal;
    Counters counters;
    NearestPair best;
    double elsewhere;  // a distance measured by others
    double lower;      // largest bound ever proved for all that is left
    bool ready;
    bool done;
};

/// Pairs at or beyond this distance do not matter any more.
double useful_distance(const DistanceState& s) {
    const double best = s.best.distance < s.elsewhere ? s.best.distance : s.elsewhere;
    const double tolerant = (best - s.goal.absolute_tolerance) / (1 + s.goal.relative_tolerance);
    return tolerant < s.goal.within ? tolerant : s.goal.within;
}

bool satisfied(const DistanceState& s) {
    return s.best.distance == 0 || (s.goal.within < kInfinity && s.best.distance <= s.goal.within);
}

/// What is proved after a step: everything pruned lies at least at the useful distance, everything open at
/// its bound.
void update_lower(DistanceState* s) {
    double lower = useful_distance(*s);
    if (!s->done || satisfied(*s)) {
        const auto open = double(s->walk.open_gap());
        if (open < lower) lower = open;
    }
    if (lower > s->lower) s->lower = lower;
    if (s->lower > s->best.distance) s->lower = s->best.distance;
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
    while (!satisfied(*s)) {
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
    s->ready = s->done = false;
    s->counters = Counters();
    s->best = NearestPair{kInfinity, {0, 0}, {{0, 0, 0}, {0, 0, 0}}, {0, 0, 0}};
    s->elsewhere = kInfinity;
    s->lower = 0;
    s->goal = goal;
    if (a.cell.unit_count == 0 || b.cell.unit_count == 0) return Status::kNoTree;
    if (!(goal.within >= 0) || !(goal.relative_tolerance >= 0) || !(goal.absolute_tolerance >= 0))
        return Status::kInvalidArgument;
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
    const DistanceState* s = state<DistanceState>(state_);
    if (s->best.distance == 0) return Verdict::kColliding;
    return s->lower > 0 ? Verdict::kDisjoint : Verdict::kUnresolved;
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
    ClosestPair pair;
    pair.distance = s->best.distance;
    pair.triangle_a = s->best.triangle[0];
    pair.triangle_b = s->best.triangle[1];
    for (int k = 0; k < 3; ++k) {
        pair.point_a[k] = s->best.point[0][k] + s->parts.pair.origin_a[k];
        pair.point_b[k] = s->best.point[1][k] + s->parts.pair.origin_a[k];
    }
    return pair;
}

const Counters& CellDistance::counters() const {
    return state<DistanceState>(state_)->counters;
}

}  // namespace espalier
