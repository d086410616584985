// SPDX-License-Identifier: MIT
// Least distance of two parts on aabb trees: depth first, most promising child first, everything pruned that
// cannot be nearer than the best pair of triangles found.
#include "../pair/distance_progress.h"
#include "../pair/query_state.h"
#include "bound.h"
#include "espalier/aabb_query.h"
#include "path.h"

namespace espalier {
namespace {

struct BoundedVisit {
    PairVisit visit;
    float bounds[4];
};

struct DistanceState : DistanceProgress {
    PairMeshes pair;
    PairFrame frame;
    BestAxis axis;
    const AabbNode* nodes[2];
    PathEnd end[2];
    double end_bound;  // lower bound of the pair at the path's ends
    std::uint32_t visit_count;
    bool entered;
    bool scouting;  // first pass
    VolumeLanes root[2];
    BoundedVisit visits[2 * kMaxAabbDepth];
};

/// Pairs at or beyond this distance do not matter any more.
double useful_distance(const DistanceState& s) {
    return s.useful_below(s.best.distance, s.scouting);
}

/// Least bound among everything not yet looked at.
double open_bound(const DistanceState& s) {
    double least = s.entered ? s.end_bound : kInfiniteDistance;
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
        if (double(v.bounds[lane]) > useful_distance(*s)) continue;
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
    float keys[4];
    const unsigned open = side == 0 ? bound_children<0>(node, *a.lanes, a.lane, *b.lanes, b.lane, s->frame,
                                                        s->axis, limit, &v.visit.lanes, v.bounds, keys)
                                    : bound_children<1>(node, *b.lanes, b.lane, *a.lanes, a.lane, s->frame,
                                                        s->axis, limit, &v.visit.lanes, v.bounds, keys);
    s->counters.node_tests += count_bits(present_children(node));
    if (!open) return;
    v.visit.node = &node;
    v.visit.parent = s->end[side];
    v.visit.side = static_cast<std::uint8_t>(side);
    v.visit.set_order(open, keys);
    ++s->visit_count;
}

void improve(DistanceState* s) {
    const PathEnd &a = s->end[0], &b = s->end[1];
    const double before = s->best.distance;
    improve_by_leaves(s->pair, s->frame, a.first, a.kind, b.first, b.kind, &s->counters, &s->best);
    if (s->best.distance < before) s->axis = best_axis(s->best.axis, s->frame);
}

void update_lower(DistanceState* s) {
    s->raise_lower(useful_distance(*s), open_bound(*s));
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
    while (!s->satisfied()) {
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
    const bool sound = s->reset(goal);
    if (!a.aabb.nodes || !b.aabb.nodes) return Status::kNoTree;
    if (!sound) return Status::kInvalidArgument;
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
    return state<DistanceState>(state_)->verdict();
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
    return s->closest(s->pair.origin_a);
}

const Counters& AabbDistance::counters() const {
    return state<DistanceState>(state_)->counters;
}

}  // namespace espalier
