// SPDX-License-Identifier: MIT
// Least distance of two parts on box trees: depth first, nearest pair first, everything pruned that cannot be
// nearer than the best pair of triangles found. The intervals of SAT lite give the bounds.
#include "../aabb/bound.h"
#include "../pair/distance_progress.h"
#include "../pair/query_state.h"
#include "leaf.h"
#include "pair_walk.h"

namespace espalier {
namespace {

constexpr BoxOverlap kBoth = BoxOverlap::kSatLite;
using Lanes = BoxLanes<kBoth>;
/// Pairs of lanes still to visit, nearest last.
struct BoundedVisit {
    float bound[16];
    std::uint8_t pair[16];
    std::uint8_t remaining;
    std::uint8_t depth[2];
};

struct DistanceState : DistanceProgress {
    PairMeshes pair;
    BoxProjector<kBoth> projector;
    BestAxis axis;
    const BoxNode* nodes[2];
    std::uint32_t leaf_triangles[2];
    std::uint32_t depth[2], lane[2];
    double pair_bound;  // lower bound of the current pair
    std::uint32_t visit_count;
    bool entered;   // the current pair was not handled yet
    bool scouting;  // first pass
    BoundedVisit visits[kMaxBoxDepth];
    Lanes path[2][kBoxLevels];

    const Lanes& lanes(unsigned side) const { return path[side][depth[side]]; }
    const PairFrame& frame() const { return projector.frame; }
};

/// Pairs at or beyond this distance do not matter any more.
double useful_distance(const DistanceState& s) {
    return s.useful_below(s.best.distance, s.scouting);
}

/// Least bound among everything not yet looked at.
double open_bound(const DistanceState& s) {
    double least = s.entered ? s.pair_bound : kInfiniteDistance;
    for (std::uint32_t i = 0; i < s.visit_count; ++i) {
        const BoundedVisit& v = s.visits[i];
        if (v.remaining > 0 && double(v.bound[v.remaining - 1]) < least)
            least = double(v.bound[v.remaining - 1]);
    }
    return least;
}

/// Lower bounds of the distances of four boxes to one, without the best axis. The gaps along a frame's axes
/// are the sides of a box between the two; four roundings of relative 2^-24 are covered by shrinking the
/// root.
F4 distance_bounds(const Lanes& four, const Lanes& one, unsigned lane, const PairFrame& f) {
    F4 squared[2] = {splat(0.0f), splat(0.0f)};
    for (unsigned k = 0; k < 6; ++k) {
        const F4 below = load4(four.lo[k]) - splat(one.hi[k][lane]);
        const F4 above = splat(one.lo[k][lane]) - load4(four.hi[k]);
        const F4 gap = k < 3 ? positive(max(below, above)) : positive(max(below, above)) * f.scale4[k - 3];
        squared[k / 3] = squared[k / 3] + gap * gap;
    }
    return sqrt(max(squared[0], squared[1])) * 0.9999995f;
}

/// Inserts the lanes whose bound is at most `limit`, farthest first.
void add_pairs(F4 bounds, unsigned present, float limit, unsigned shift, unsigned other,
               BoundedVisit* visit) {
    float bound[4];
    store4(bound, bounds);
    unsigned open = bits(bounds <= splat(limit)) & present;
    for (unsigned lane = 0; open; ++lane, open >>= 1) {
        if (!(open & 1u)) continue;
        unsigned slot = visit->remaining++;
        for (; slot > 0 && visit->bound[slot - 1] < bound[lane]; --slot) {
            visit->bound[slot] = visit->bound[slot - 1];
            visit->pair[slot] = visit->pair[slot - 1];
        }
        visit->bound[slot] = bound[lane];
        visit->pair[slot] = static_cast<std::uint8_t>(other | lane << shift);
    }
}

void descend(DistanceState* s) {
    const BoxDescent down = box_descent(s->lanes(0), s->lane[0], s->lanes(1), s->lane[1]);
    if (down.a)
        grandchildren<0>(s->projector, s->nodes[0], s->lanes(0), s->lane[0], &s->path[0][s->depth[0] + 1]);
    if (down.b)
        grandchildren<1>(s->projector, s->nodes[1], s->lanes(1), s->lane[1], &s->path[1][s->depth[1] + 1]);
    BoundedVisit& visit = s->visits[s->visit_count];
    visit.remaining = 0;
    visit.depth[0] = static_cast<std::uint8_t>(s->depth[0] + down.a);
    visit.depth[1] = static_cast<std::uint8_t>(s->depth[1] + down.b);
    const Lanes& a = s->path[0][visit.depth[0]];
    const Lanes& b = s->path[1][visit.depth[1]];
    float reach_a[4], reach_b[4];
    store4(reach_a, interval_reach<0>(a.lo, a.hi, s->axis));
    store4(reach_b, interval_reach<1>(b.lo, b.hi, s->axis));
    const F4 margin = s->frame().margin4;
    const float limit = upward(useful_distance(*s));
    if (!down.a) {
        const F4 along = (load4(reach_b) - splat(reach_a[s->lane[0]])) - margin;
        add_pairs(max(along, distance_bounds(b, a, s->lane[0], s->frame())), b.present, limit, 2, s->lane[0],
                  &visit);
        s->counters.node_tests += bit_count(b.present);
    } else {
        const unsigned others = down.b ? b.present : 1u << s->lane[1];
        for (unsigned lane = 0; lane < 4; ++lane) {
            if (!(others >> lane & 1u)) continue;
            const F4 along = (splat(reach_b[lane]) - load4(reach_a)) - margin;
            add_pairs(max(along, distance_bounds(a, b, lane, s->frame())), a.present, limit, 0, lane << 2,
                      &visit);
            s->counters.node_tests += bit_count(a.present);
        }
    }
    if (visit.remaining) ++s->visit_count;
}

bool enter_next_pair(DistanceState* s) {
    while (s->visit_count > 0) {
        BoundedVisit& visit = s->visits[s->visit_count - 1];
        // The last is the nearest: when it is too far, so are the others.
        if (visit.remaining == 0 || double(visit.bound[visit.remaining - 1]) > useful_distance(*s)) {
            --s->visit_count;
            continue;
        }
        --visit.remaining;
        const unsigned pair = visit.pair[visit.remaining];
        for (unsigned side = 0; side < 2; ++side) s->depth[side] = visit.depth[side];
        s->lane[0] = pair & 3u;
        s->lane[1] = pair >> 2;
        s->pair_bound = double(visit.bound[visit.remaining]);
        return true;
    }
    return false;
}

void improve(DistanceState* s) {
    BoxLeaf leaf[2];
    for (unsigned side = 0; side < 2; ++side)
        leaf[side] = box_leaf(s->lanes(side), s->lane[side], s->leaf_triangles[side],
                              s->pair.mesh[side].triangle_count);
    const double before = s->best.distance;
    improve_by_leaves(s->pair, s->frame(), leaf[0].first, leaf[0].count, leaf[1].first, leaf[1].count,
                      &s->counters, &s->best);
    if (s->best.distance < before) s->axis = best_axis(s->best.axis, s->frame());
}

void update_lower(DistanceState* s) {
    s->raise_lower(useful_distance(*s), open_bound(*s));
}

void start_at_roots(DistanceState* s) {
    s->depth[0] = s->depth[1] = 0;
    s->lane[0] = s->lane[1] = 0;
    s->pair_bound = 0;
    s->visit_count = 0;
    s->entered = true;
}

void run(DistanceState* s, const Budget& budget) {
    const std::uint64_t limit = budget_limit(budget, s->counters);
    while (!s->satisfied()) {
        if (!s->entered && !enter_next_pair(s)) {
            s->done = !s->scouting;
            if (s->done) return;
            update_lower(s);
            s->scouting = false;
            start_at_roots(s);
        }
        s->entered = true;
        if (s->counters.node_tests >= limit || (budget.expired && budget.expired(budget.user))) return;
        s->entered = false;
        if (s->lanes(0).leaf(s->lane[0]) && s->lanes(1).leaf(s->lane[1]))
            improve(s);
        else
            descend(s);
    }
    s->done = true;
}

}  // namespace

Status BoxDistance::begin(const PartView& a, const PartView& b, const Pose& pose, const DistanceGoal& goal) {
    DistanceState* s = make_state<DistanceState>(state_);
    const bool sound = s->reset(goal);
    if (a.box.leaf_count == 0 || b.box.leaf_count == 0) return Status::kNoTree;
    if (!sound) return Status::kInvalidArgument;
    PairFrame frame;
    const Status status = make_pair_frame(a, b, pose, &frame);
    if (status != Status::kOk) return status;
    s->projector.begin(frame, b.box);
    s->axis = best_axis(s->best.axis, frame);
    s->pair = box_pair_meshes(a, b);
    const BoxTreeView* trees[2] = {&a.box, &b.box};
    for (unsigned side = 0; side < 2; ++side) {
        s->nodes[side] = trees[side]->nodes;
        s->leaf_triangles[side] = trees[side]->leaf_triangles;
        for (Lanes& lanes : s->path[side]) lanes.source = ~0u;
        root_lanes(s->projector, *trees[side], side, &s->path[side][0]);
    }
    start_at_roots(s);
    s->scouting = true;
    s->ready = true;
    return Status::kOk;
}

Verdict BoxDistance::step(const Budget& budget) {
    DistanceState* s = state<DistanceState>(state_);
    if (s->ready && !s->done) {
        run(s, budget);
        update_lower(s);
    }
    return verdict();
}

Verdict BoxDistance::verdict() const {
    return state<DistanceState>(state_)->verdict();
}

bool BoxDistance::done() const {
    return state<DistanceState>(state_)->done;
}

double BoxDistance::lower() const {
    return state<DistanceState>(state_)->lower;
}

double BoxDistance::upper() const {
    return state<DistanceState>(state_)->best.distance;
}

ClosestPair BoxDistance::closest() const {
    const DistanceState* s = state<DistanceState>(state_);
    return s->closest(s->pair.origin_a);
}

const Counters& BoxDistance::counters() const {
    return state<DistanceState>(state_)->counters;
}

}  // namespace espalier
