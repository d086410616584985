// SPDX-License-Identifier: MIT
// Least distance of two parts on aabb trees: depth first, nearest child first, everything pruned that cannot
// be nearer than the best pair of triangles found.
#include "aabb_bound.h"
#include "aabb_path.h"
#include "espalier/aabb_query.h"
#include "leaf_distance.h"
#include "query_state.h"

namespace espalier {
namespace {

constexpr double kInfinity = __builtin_huge_val();

/// A first pass that is content with a pair this much too far costs little and spares the second most of its
/// visits.
constexpr double kScoutTolerance = 0.3;

struct BoundedVisit {
    PairVisit visit;
    float bounds[4];
};

struct DistanceState {
    PairMeshes pair;
    PairFrame frame;
    DistanceGoal goal;
    Counters counters;
    NearestPair best;
    BestAxis axis;
    const AabbNode* nodes[2];
    PathEnd end[2];
    double end_bound;  // lower bound of the pair at the path's ends
    double lower;      // largest bound ever proved for all that is left
    std::uint32_t visit_count;
    bool entered;
    bool scouting;  // first pass
    bool ready;
    bool done;
    VolumeLanes root[2];
    BoundedVisit visits[2 * kMaxDepth];
};

/// Pairs at or beyond this distance do not matter any more.
double useful_distance(const DistanceState& s) {
    const double relative = s.scouting && s.goal.relative_tolerance < kScoutTolerance
                                ? kScoutTolerance
                                : s.goal.relative_tolerance;
    const double tolerant = (s.best.distance - s.goal.absolute_tolerance) / (1 + relative);
    return tolerant < s.goal.within ? tolerant : s.goal.within;
}

bool satisfied(const DistanceState& s) {
    return s.best.distance == 0 || (s.goal.within < kInfinity && s.best.distance <= s.goal.within);
}

/// Least bound among everything not yet looked at.
double open_bound(const DistanceState& s) {
    double least = s.entered ? s.end_bound : kInfinity;
    for (std::uint32_t i = 0; i < s.visit_count; ++i) {
        const BoundedVisit& v = s.visits[i];
        for (unsigned k = 0; k < v.visit.remaining; ++k) {
            const double bound = double(v.bounds[v.visit.order >> (2 * k) & 3u]);
            if (bound < least) least = bound;
        }
    }
    return least;
}

bool enter_next_child(DistanceState* s) {
    while (s->visit_count > 0) {
        BoundedVisit& v = s->visits[s->visit_count - 1];
        if (v.visit.remaining == 0) {
            s->end[v.visit.side] = v.visit.parent;
            --s->visit_count;
            continue;
        }
        const unsigned lane = v.visit.take_next();
        if (double(v.bounds[lane]) > useful_distance(*s)) {
            v.visit.remaining = 0;  // the others are farther still
            continue;
        }
        s->end[v.visit.side] = v.visit.child(lane);
        s->end_bound = double(v.bounds[lane]);
        return true;
    }
    return false;
}

void descend(DistanceState* s) {
    const PathEnd &a = s->end[0], &b = s->end[1];
    const unsigned side = side_to_open(a, b);
    const AabbNode& node = s->nodes[side][s->end[side].first];
    BoundedVisit& v = s->visits[s->visit_count];
    const float limit = upward(useful_distance(*s));
    const unsigned open = side == 0 ? bound_children<0>(node, *a.lanes, a.lane, *b.lanes, b.lane, s->frame,
                                                        s->axis, limit, &v.visit.lanes, v.bounds)
                                    : bound_children<1>(node, *b.lanes, b.lane, *a.lanes, a.lane, s->frame,
                                                        s->axis, limit, &v.visit.lanes, v.bounds);
    s->counters.node_tests += count_bits(present_children(node));
    if (!open) return;
    v.visit.node = &node;
    v.visit.parent = s->end[side];
    v.visit.side = static_cast<std::uint8_t>(side);
    v.visit.set_order(open, v.bounds);
    ++s->visit_count;
}

void improve(DistanceState* s) {
    const PathEnd &a = s->end[0], &b = s->end[1];
    const double before = s->best.distance;
    improve_by_leaves(s->pair, s->frame, a.first, a.kind, b.first, b.kind, &s->counters, &s->best);
    if (s->best.distance < before) s->axis = best_axis(s->best.axis, s->frame);
}

/// What is proved after a step: everything pruned lies at least at the useful distance, everything open at
/// its bound.
void update_lower(DistanceState* s) {
    double lower = useful_distance(*s);
    if (!s->done || satisfied(*s)) {
        const double open = open_bound(*s);
        if (open < lower) lower = open;
    }
    if (lower > s->lower) s->lower = lower;
    if (s->lower > s->best.distance) s->lower = s->best.distance;
}

void start_at_roots(DistanceState* s) {
    s->end[0] = place_root<0>(s->pair.tree[0], s->frame, &s->root[0]);
    s->end[1] = place_root<1>(s->pair.tree[1], s->frame, &s->root[1]);
    s->end_bound = 0;
    s->visit_count = 0;
    s->entered = true;
}

void run(DistanceState* s, const Budget& budget) {
    const std::uint64_t limit = budget_limit(budget, s->counters);
    while (!satisfied(*s)) {
        if (!s->entered && !enter_next_child(s)) {
            s->done = !s->scouting;
            if (s->done) return;
            update_lower(s);
            s->scouting = false;
            start_at_roots(s);
        }
        s->entered = true;
        if (s->counters.node_tests >= limit || (budget.expired && budget.expired(budget.user))) return;
        s->entered = false;
        const PathEnd &a = s->end[0], &b = s->end[1];
        if (a.leaf() && b.leaf())
            improve(s);
        else
            descend(s);
    }
    s->done = true;
}

}  // namespace

Status AabbDistance::begin(const PartView& a, const PartView& b, const Pose& pose, const DistanceGoal& goal) {
    DistanceState* s = make_state<DistanceState>(state_);
    s->ready = s->done = false;
    s->counters = Counters();
    s->best = NearestPair{kInfinity, {0, 0}, {{0, 0, 0}, {0, 0, 0}}, {0, 0, 0}};
    s->lower = 0;
    s->goal = goal;
    if (!a.aabb.nodes || !b.aabb.nodes) return Status::kNoTree;
    if (!(goal.within >= 0) || !(goal.relative_tolerance >= 0) || !(goal.absolute_tolerance >= 0))
        return Status::kInvalidArgument;
    const Status status = make_pair_frame(a, b, pose, &s->frame);
    if (status != Status::kOk) return status;
    s->axis = best_axis(s->best.axis, s->frame);
    s->pair.set(a, b);
    s->nodes[0] = a.aabb.nodes;
    s->nodes[1] = b.aabb.nodes;
    start_at_roots(s);
    s->scouting = true;
    s->ready = true;
    return Status::kOk;
}

Verdict AabbDistance::step(const Budget& budget) {
    DistanceState* s = state<DistanceState>(state_);
    if (s->ready && !s->done) {
        run(s, budget);
        update_lower(s);
    }
    return verdict();
}

Verdict AabbDistance::verdict() const {
    const DistanceState* s = state<DistanceState>(state_);
    if (s->best.distance == 0) return Verdict::kColliding;
    return s->lower > 0 ? Verdict::kDisjoint : Verdict::kUnresolved;
}

bool AabbDistance::done() const {
    return state<DistanceState>(state_)->done;
}

double AabbDistance::lower() const {
    return state<DistanceState>(state_)->lower;
}

double AabbDistance::upper() const {
    return state<DistanceState>(state_)->best.distance;
}

ClosestPair AabbDistance::closest() const {
    const DistanceState* s = state<DistanceState>(state_);
    ClosestPair pair;
    pair.distance = s->best.distance;
    pair.triangle_a = s->best.triangle[0];
    pair.triangle_b = s->best.triangle[1];
    for (int k = 0; k < 3; ++k) {
        pair.point_a[k] = s->best.point[0][k] + s->pair.origin_a[k];
        pair.point_b[k] = s->best.point[1][k] + s->pair.origin_a[k];
    }
    return pair;
}

const Counters& AabbDistance::counters() const {
    return state<DistanceState>(state_)->counters;
}

}  // namespace espalier
