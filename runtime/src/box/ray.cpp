// SPDX-License-Identifier: MIT
// Ray cast on a box tree: two levels at a time, four boxes against the ray, nearest first.
#include "../pair/query_state.h"
#include "../single/ray_progress.h"
#include "lanes.h"
#include "pair_walk.h"

namespace espalier {
namespace {

/// Four boxes of a path and those of them still to visit, nearest last.
struct alignas(16) RayLevel {
    float lo[3][4], hi[3][4];
    float enter[4];
    BoxRange range[4];
    std::uint8_t order[4];
    std::uint32_t remaining;
};

struct RayState : RayProgress {
    BoxTreeView tree;
    std::uint32_t level_count;
    RayLevel levels[kBoxLevels];
};

/// Puts four boxes on the path, those that the ray enters soon enough in order.
void push(RayState* s, const F4* lo, const F4* hi, const BoxRange* range, unsigned present) {
    RayLevel& level = s->levels[s->level_count];
    const F4 enter = s->enter_boxes(lo, hi);
    s->counters.node_tests += bit_count(present);
    unsigned open = bits(enter <= splat(s->useful())) & present;
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
    const std::uint32_t first = leaf * s->tree.leaf_triangles, rest = s->mesh.triangle_count - first;
    return s->test_triangles(s->tree, first, s->tree.leaf_triangles < rest ? s->tree.leaf_triangles : rest);
}

/// True when the search has ended, false when the budget has.
bool run(RayState* s, const Budget& budget) {
    const std::uint64_t limit = budget_limit(budget, s->counters);
    while (s->level_count > 0) {
        if (s->counters.node_tests >= limit || (budget.expired && budget.expired(budget.user))) return false;
        RayLevel& level = s->levels[s->level_count - 1];
        if (level.remaining == 0 || level.enter[level.order[level.remaining - 1]] > s->useful()) {
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

}  // namespace

Status BoxRayCast::begin(const PartView& part, const Ray& ray, RayMode mode) {
    RayState* s = make_state<RayState>(state_);
    const Status status = s->reset(part, part.box.leaf_count > 0, ray, mode);
    if (status != Status::kOk) return status;
    s->tree = part.box;
    s->level_count = 0;
    const V4 l = splat3(part.box.lo), h = splat3(part.box.hi);
    const F4 lo[3] = {l.x, l.y, l.z}, hi[3] = {h.x, h.y, h.z};
    const BoxRange root[4] = {{0, part.box.leaf_count, 0}, {}, {}, {}};
    push(s, lo, hi, root, 1);
    return Status::kOk;
}

Verdict BoxRayCast::step(const Budget& budget) {
    RayState* s = state<RayState>(state_);
    if (s->ready && run(s, budget)) s->finish();
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
