// SPDX-License-Identifier: MIT
// Ray cast on an aabb tree: slab test of four boxes at a time, nearest first.
#include "../single/ray_progress.h"

namespace espalier {
namespace {

struct RayState : RayProgress {
    AabbTreeView tree;
    AabbSearch search;

    F4 bounds(const V4& lo, const V4& hi) const {
        const F4 from[3] = {lo.x, lo.y, lo.z}, to[3] = {hi.x, hi.y, hi.z};
        return enter_boxes(from, to);
    }

    bool leaf(std::uint32_t first, std::uint32_t count, Counters*) {
        return test_triangles(tree, first, count);
    }
};

}  // namespace

Status AabbRayCast::begin(const PartView& part, const Ray& ray, RayMode mode) {
    RayState* s = make_state<RayState>(state_);
    const Status status = s->reset(part, part.aabb.nodes != nullptr, ray, mode);
    if (status != Status::kOk) return status;
    s->tree = part.aabb;
    s->search.begin(part.aabb);
    return Status::kOk;
}

Verdict AabbRayCast::step(const Budget& budget) {
    RayState* s = state<RayState>(state_);
    if (s->ready && s->search.run(s, budget, &s->counters)) s->finish();
    return s->verdict;
}

Verdict AabbRayCast::verdict() const {
    return state<RayState>(state_)->verdict;
}

const RayHit& AabbRayCast::hit() const {
    return state<RayState>(state_)->hit;
}

const Counters& AabbRayCast::counters() const {
    return state<RayState>(state_)->counters;
}

}  // namespace espalier
