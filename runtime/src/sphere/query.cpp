// SPDX-License-Identifier: MIT
// The time-critical query: begins, goes on within a budget, moves to another pose.
#include "espalier/sphere_query.h"
#include "renew.h"

namespace espalier {
namespace {

bool satisfied(const SphereState& s) {
    return s.upper == 0 || (s.options.goal.within < kInfinity && s.upper <= s.options.goal.within);
}

void run(SphereState* s, const Budget& budget) {
    const std::uint64_t limit = budget_limit(budget, s->counters);
    for (;;) {
        if (satisfied(*s)) {
            s->done = true;
            return;
        }
        if (!s->old && !expand_next(s)) {
            // What an old front left out may be nearer than what it holds.
            if (s->warm && s->outside < useful_distance(*s)) {
                start_at_roots(s);
                continue;
            }
            s->done = true;
            return;
        }
        if (s->counters.node_tests >= limit || (budget.expired && budget.expired(budget.user))) return;
        if (s->old)
            renew_front(s);
        else
            visit(s);
    }
}

bool valid_options(const SphereQueryOptions& o) {
    return o.goal.within >= 0 && o.goal.relative_tolerance >= 0 && o.goal.absolute_tolerance >= 0 &&
           o.skin >= 0 && o.order <= SphereOrder::kWidestFirst;
}

}  // namespace

Status SphereQueryBase::begin(const ShapeView& a, const ShapeView& b, const Pose& pose,
                              const SphereQueryOptions& options, SpherePair* memory, std::size_t capacity) {
    SphereState* s = make_state<SphereState>(state_);
    begun_ = true;
    s->ready = false;
    s->done = false;
    s->upper = kInfinity;
    s->lower = 0;
    s->depth = 0;
    s->counters = Counters();
    s->hit_by_triangles = false;
    const bool own = memory == reinterpret_cast<SpherePair*>(this + 1);  // SphereQuery's
    s->front.begin(memory, 0, own);
    if (!a.sphere.spheres || !b.sphere.spheres) return Status::kNoTree;
    if (!memory || capacity < kLeastCapacity || !valid_options(options)) return Status::kInvalidArgument;
    const Status status = make_pair_frame(a, b, pose, &s->frame);
    if (status != Status::kOk) return status;
    s->part[0] = a;
    s->part[1] = b;
    s->options = options;
    s->covers = true;
    s->dag = a.sphere.dag() || b.sphere.dag();
    if (s->dag) s->options.order = SphereOrder::kLevel;
    s->meshes.set(a, b);
    for (int side = 0; side < 2; ++side) {
        const SphereTreeView& tree = s->part[side].sphere;
        s->meshes.tree[side].triangle_order = tree.leaf_triangles;
        if (!tree.proved || tree.coverage == SphereCoverage::kSampled) s->covers = false;
    }
    s->best = NearestPair();
    s->best.distance = kInfinity;
    s->sequence = 0;
    s->hit = SpherePair{0, 0, 0, 0};
    s->nearest[0] = kNoSphere;
    s->scale = length_scale(s->frame);
    s->bounds_lower = s->covers ? 0 : gap_of_bounds(*s);  // spheres that cover know better
    s->placed = false;
    s->front.begin(memory, capacity, own);
    start_at_roots(s);
    s->ready = true;
    update_lower(s);
    return Status::kOk;
}

Status SphereQueryBase::advance(const Pose& pose) {
    SphereState* s = begun_ ? state<SphereState>(state_) : nullptr;
    if (!s || !s->ready) return Status::kInvalidArgument;
    const PairFrame before = s->frame;
    const Status status = make_pair_frame(s->part[0], s->part[1], pose, &s->frame);
    if (status != Status::kOk) {
        s->frame = before;
        return status;
    }
    s->scale = length_scale(s->frame);
    move_on(s, motion(*s, before));
    return Status::kOk;
}

Verdict SphereQueryBase::step(const Budget& budget) {
    SphereState* s = state<SphereState>(state_);
    if (s->ready && !s->done) {
        run(s, budget);
        if (!s->old) update_lower(s);
    }
    return verdict();
}

Verdict SphereQueryBase::verdict() const {
    const SphereState* s = state<SphereState>(state_);
    if (s->upper == 0) return Verdict::kColliding;
    return s->lower > 0 ? Verdict::kDisjoint : Verdict::kUnresolved;
}

bool SphereQueryBase::done() const {
    return state<SphereState>(state_)->done;
}

double SphereQueryBase::lower() const {
    return state<SphereState>(state_)->lower;
}

double SphereQueryBase::upper() const {
    return state<SphereState>(state_)->upper;
}

bool SphereQueryBase::conservative() const {
    const SphereState* s = state<SphereState>(state_);
    return s->ready && s->covers;
}

bool SphereQueryBase::surface_errors() const {
    const SphereState* s = state<SphereState>(state_);
    return s->ready && s->errors_hold;
}

const Counters& SphereQueryBase::counters() const {
    return state<SphereState>(state_)->counters;
}

}  // namespace espalier
