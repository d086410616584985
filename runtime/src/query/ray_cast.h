// SPDX-License-Identifier: MIT
// Ray cast on any tree with a search codec: slab test of four boxes at a time, nearest first. Included by one
// source file for each tree.
#pragma once

#include "../base/assert.h"
#include "../pair/query_state.h"
#include "../single/ray_progress.h"
#include "../single/tree_search.h"
#include "espalier/ray_cast.h"

namespace espalier {

template <class Tree>
struct RayState : RayProgress {
    TreeSearch<typename SearchCodec<Tree>::Type> search;

    F4 bounds(const F4* lo, const F4* hi) const { return enter_boxes(lo, hi); }
    bool leaf(std::uint32_t first, std::uint32_t count, Counters*) {
        return test_triangles(search.codec().tree(), first, count);
    }
};

template <class Tree>
Status RayCast<Tree>::begin(const ShapeView& part, const Ray& ray, RayMode mode) {
    auto* s = make_state<RayState<Tree>>(state_);
    const Status status = s->reset(part, SearchCodec<Tree>::Type::present(part), ray, mode);
    if (status != Status::kOk) return status;
    s->search.set_part(part);
    s->search.begin(*s, &s->counters);
    return Status::kOk;
}

template <class Tree>
Verdict RayCast<Tree>::step(const Budget& budget) {
    auto* s = state<RayState<Tree>>(state_);
    if (s->ready && s->search.run(s, budget, &s->counters)) s->finish();
    return s->verdict;
}

template <class Tree>
Verdict RayCast<Tree>::verdict() const {
    return state<RayState<Tree>>(state_)->verdict;
}

template <class Tree>
const RayHit& RayCast<Tree>::hit() const {
    ESPALIER_ASSERT(verdict() == Verdict::kColliding);
    return state<RayState<Tree>>(state_)->hit;
}

template <class Tree>
const Counters& RayCast<Tree>::counters() const {
    return state<RayState<Tree>>(state_)->counters;
}

}  // namespace espalier
