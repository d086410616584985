// SPDX-License-Identifier: MIT
// Ray cast on a box tree: two levels at a time, four boxes against the ray, nearest first.
#include "box_lanes.h"
#include "box_pair_walk.h"
#include "query_state.h"
#include "ray_triangle.h"
#include "single_part.h"

namespace espalier {
namespace {

constexpr float kNever = 3e38f;

/// Four boxes of a path and those of them still to visit, nearest last.
struct alignas(16) RayLevel {
    float lo[3][4], hi[3][4];
    float enter[4];
    BoxRange range[4];
    std::uint8_t order[4];
    std::uint32_t remaining;
};

struct RayState {
    MeshView mesh;
    BoxTreeView tree;
    double origin[3];  // of the part
    LocalPoint start;
    double direction[3];
    F4 reciprocal[3];
    bool flat[3];  // the ray does not move along this axis
    double nearest;
    RayHit hit;
    RayMode mode;
    Counters counters;
    Verdict verdict;
    bool ready;
    bool found;
    std::uint32_t level_count;
    RayLevel levels[kBoxLevels];
};

/// Parameters at which the ray enters four boxes; infinite where it misses. The reciprocal and the products
/// round by 2^-24 each, which the last factors cover.
F4 enter_boxes(const RayState& s, const F4* lo, const F4* hi) {
    const F4 margin = splat(s.start.margin), zero = splat(0.0f);
    F4 enter = zero, leave = splat(kNever);
    for (int k = 0; k < 3; ++k) {
        const F4 from = (lo[k] - splat(s.start.rounded[k])) - margin;
        const F4 to = (hi[k] - splat(s.start.rounded[k])) + margin;
        if (s.flat[k]) {
            leave = select((from > zero) | (zero > to), splat(-kNever), leave);
            continue;
        }
        const F4 t0 = from * s.reciprocal[k], t1 = to * s.reciprocal[k];
        enter = max(enter, min(t0, t1));
        leave = min(leave, max(t0, t1));
    }
    return select(enter * 0.9999995f > leave * 1.0000005f, splat(__builtin_huge_valf()), enter * 0.9999995f);
}

float useful(const RayState& s) {
    return s.nearest < 3e38 ? static_cast<float>(s.nearest * (1 + 1e-6)) : kNever;
}

/// Puts four boxes on the path, those that the ray enters soon enough in order.
void push(RayState* s, const F4* lo, const F4* hi, const BoxRange* range, unsigned present) {
    RayLevel& level = s->levels[s->level_count];
    const F4 enter = enter_boxes(*s, lo, hi);
    s->counters.node_tests += bit_count(present);
    unsigned open = bits(enter <= splat(useful(*s))) & present;
    if (!open) return;
    for (unsigned k = 0; k < 3; ++k) {
        store4(level.lo[k], lo[k]);
        store4(level.hi[k], hi[k]);
    }
    store4(level.enter, enter);
    level.remaining = 0;
    for (unsigned lane = 0; open; ++lane, open >>= 1) {
        level.range[lane] = range[lane];
        if (!(open & 1u)) continue;
        unsigned slot = level.remaining++;
        for (; slot > 0 && level.enter[level.order[slot - 1]] < level.enter[lane]; --slot)
            level.order[slot] = level.order[slot - 1];
        level.order[slot] = static_cast<std::uint8_t>(lane);
    }
    ++s->level_count;
}

/// True: the search may end.
bool test_leaf(RayState* s, std::uint32_t leaf) {
    const std::uint32_t first = leaf * s->tree.leaf_triangles;
    const std::uint32_t rest = s->tree.leaf_triangles < s->mesh.triangle_count - first
                                   ? s->tree.leaf_triangles
                                   : s->mesh.triangle_count - first;
    for (std::uint32_t i = 0; i < rest; ++i) {
        const std::uint32_t triangle = s->tree.triangle_at(first + i);
        const Triangle3 t = exact_triangle_a(s->mesh, triangle);
        ++s->counters.triangle_tests;
        ++s->counters.exact_tests;
        const EdgeSides sides = edge_sides(t, s->start.exact, s->direction);
        if (!sides.crosses() || sides.sum() == 0) continue;
        const double at = crossing_parameter(t, sides, s->start.exact, s->direction);
        if (!(at >= 0) || at > s->nearest || (s->found && at == s->nearest)) continue;
        s->nearest = s->hit.t = at;
        s->hit.triangle = triangle;
        s->found = true;
        if (s->mode == RayMode::kAny) return true;
    }
    return false;
}

/// True when the search has ended, false when the budget has.
bool run(RayState* s, const Budget& budget) {
    const std::uint64_t limit = budget_limit(budget, s->counters);
    while (s->level_count > 0) {
        if (s->counters.node_tests >= limit || (budget.expired && budget.expired(budget.user))) return false;
        RayLevel& level = s->levels[s->level_count - 1];
        if (level.remaining == 0 || level.enter[level.order[level.remaining - 1]] > useful(*s)) {
            --s->level_count;
            continue;
        }
        const unsigned lane = level.order[--level.remaining];
        const BoxRange& range = level.range[lane];
        if (range.leaves == 1) {
            ++s->counters.leaf_pairs;
            if (test_leaf(s, range.first)) return true;
            continue;
        }
        BoxRange below[4];
        unsigned present;
        const GrandchildCuts cuts = locate_grandchildren(s->tree.nodes, range, below, &present);
        F4 lo[3], hi[3];
        derive_boxes(cuts, level.lo, level.hi, lane, lo, hi);
        push(s, lo, hi, below, present);
    }
    return true;
}

void complete_hit(RayState* s) {
    const Triangle3 t = exact_triangle_a(s->mesh, s->hit.triangle);
    double e[2][3], n[3], length2 = 0;
    for (int k = 0; k < 3; ++k) {
        e[0][k] = t.p[1][k] - t.p[0][k];
        e[1][k] = t.p[2][k] - t.p[0][k];
        s->hit.point[k] = s->start.exact[k] + s->hit.t * s->direction[k] + s->origin[k];
    }
    for (int k = 0; k < 3; ++k) {
        n[k] = e[0][(k + 1) % 3] * e[1][(k + 2) % 3] - e[0][(k + 2) % 3] * e[1][(k + 1) % 3];
        length2 += n[k] * n[k];
    }
    for (int k = 0; k < 3; ++k) s->hit.normal[k] = length2 > 0 ? n[k] / std::sqrt(length2) : 0;
}

}  // namespace

Status BoxRayCast::begin(const PartView& part, const Ray& ray, RayMode mode) {
    RayState* s = make_state<RayState>(state_);
    s->verdict = Verdict::kUnresolved;
    s->ready = s->found = false;
    s->counters = Counters();
    if (part.box.leaf_count == 0) return Status::kNoTree;
    if (!finite3(ray.origin) || !finite3(ray.direction) || !(ray.max_t >= 0)) return Status::kInvalidArgument;
    if (ray.direction[0] == 0 && ray.direction[1] == 0 && ray.direction[2] == 0)
        return Status::kInvalidArgument;
    s->mesh = part.mesh;
    s->tree = part.box;
    s->start.set(part, ray.origin);
    for (int k = 0; k < 3; ++k) {
        s->origin[k] = part.origin[k];
        s->direction[k] = ray.direction[k];
        // A reciprocal that float cannot hold means that the ray leaves no box along this axis first.
        s->flat[k] = std::fabs(ray.direction[k]) < 1e-30;
        s->reciprocal[k] = splat(s->flat[k] ? 0.0f : static_cast<float>(1 / ray.direction[k]));
    }
    s->nearest = ray.max_t;
    s->mode = mode;
    s->level_count = 0;
    const V4 l = splat3(part.box.lo), h = splat3(part.box.hi);
    const F4 lo[3] = {l.x, l.y, l.z}, hi[3] = {h.x, h.y, h.z};
    const BoxRange root[4] = {{0, part.box.leaf_count, 0}, {}, {}, {}};
    push(s, lo, hi, root, 1);
    s->ready = true;
    return Status::kOk;
}

Verdict BoxRayCast::step(const Budget& budget) {
    RayState* s = state<RayState>(state_);
    // A hit found so far may still be beaten, so the verdict is told only when the search has ended.
    if (!s->ready || !run(s, budget)) return s->verdict;
    s->ready = false;
    if (s->found) complete_hit(s);
    s->verdict = s->found ? Verdict::kColliding : Verdict::kDisjoint;
    return s->verdict;
}

Verdict BoxRayCast::verdict() const {
    return state<RayState>(state_)->verdict;
}

const RayHit& BoxRayCast::hit() const {
    return state<RayState>(state_)->hit;
}

const Counters& BoxRayCast::counters() const {
    return state<RayState>(state_)->counters;
}

}  // namespace espalier
