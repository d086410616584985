// SPDX-License-Identifier: MIT
// Closest point on an aabb tree.
#include "../aabb/search_codec.h"
#include "../base/assert.h"
#include "../single/single_part.h"
#include "../triangle/triangle_pair.h"
#include "espalier/point.h"

namespace espalier {
namespace {

struct ClosestState {
    MeshView mesh;
    double origin[3];
    LocalPoint query;
    ClosestPoint closest;
    Counters counters;
    Verdict verdict;
    bool found;
    bool ready;
    TreeSearch<AabbSearch> search;

    F4 bounds(const F4* lo, const F4* hi) const {
        const V4 p = splat3(query.rounded);
        const F4 margin = splat(query.margin), zero = splat(0.0F);
        const V4 gap = {max(max(lo[0] - p.x, p.x - hi[0]) - margin, zero),
                        max(max(lo[1] - p.y, p.y - hi[1]) - margin, zero),
                        max(max(lo[2] - p.z, p.z - hi[2]) - margin, zero)};
        return sqrt(dot(gap, gap)) * 0.9999995F;
    }

    float useful() const { return upward(closest.distance); }

    bool leaf(std::uint32_t first, std::uint32_t count, Counters* work) {
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t triangle = search.codec().tree().triangle_at(first + i);
            ++work->triangle_tests;
            ++work->exact_tests;
            double nearest[3], d2 = 0;
            closest_point_on_triangle(exact_triangle_a(mesh, triangle), query.exact, nearest);
            for (int k = 0; k < 3; ++k) d2 += (nearest[k] - query.exact[k]) * (nearest[k] - query.exact[k]);
            const double distance = std::sqrt(d2);
            if (distance > closest.distance || (found && distance == closest.distance)) continue;
            found = true;
            closest.triangle = triangle;
            closest.distance = distance;
            for (int k = 0; k < 3; ++k) closest.point[k] = nearest[k] + origin[k];
        }
        return closest.distance == 0 && found;
    }
};

}  // namespace

Status ClosestPointQuery::begin(const ShapeView& part, const double point[3], double limit) {
    ClosestState* s = make_state<ClosestState>(state_);
    s->verdict = Verdict::kUnresolved;
    s->ready = s->found = false;
    s->counters = Counters();
    s->closest = ClosestPoint();
    s->closest.distance = limit;
    if (!part.aabb.nodes) return Status::kNoTree;
    if (!point || !finite3(point) || !(limit >= 0)) return Status::kInvalidArgument;
    s->mesh = part.mesh;
    s->query.set(part, point);
    for (int k = 0; k < 3; ++k) s->origin[k] = part.origin[k];
    s->search.set_part(part);
    s->search.begin(*s, &s->counters);
    s->ready = true;
    return Status::kOk;
}

Verdict ClosestPointQuery::step(const Budget& budget) {
    ClosestState* s = state<ClosestState>(state_);
    if (s->ready && s->search.run(s, budget, &s->counters)) {
        s->ready = false;
        s->verdict = s->found ? Verdict::kColliding : Verdict::kDisjoint;
    }
    return s->verdict;
}

Verdict ClosestPointQuery::verdict() const {
    return state<ClosestState>(state_)->verdict;
}

const ClosestPoint& ClosestPointQuery::closest() const {
    ESPALIER_ASSERT(verdict() == Verdict::kColliding);
    return state<ClosestState>(state_)->closest;
}

const Counters& ClosestPointQuery::counters() const {
    return state<ClosestState>(state_)->counters;
}

}  // namespace espalier
