// SPDX-License-Identifier: MIT
// Inside test: signed crossings of a ray with the surface are the winding number of a closed mesh. A ray that
// meets an edge or corner exactly is discarded for another direction.
#include "../aabb/search_codec.h"
#include "../single/single_part.h"
#include "../triangle/ray_triangle.h"
#include "espalier/point.h"

namespace espalier {
namespace {

/// Directions without small-integer relations, so that they miss the edges of what people model.
constexpr double kDirections[4][3] = {{0.5377, 0.2183, 0.8144},
                                      {-0.3163, 0.8719, 0.3738},
                                      {0.7529, -0.6211, 0.2173},
                                      {-0.4679, -0.1307, -0.8741}};
constexpr int kDirectionCount = 4;

struct InsideState {
    MeshView mesh;
    LocalPoint query;
    int attempt;
    double direction[3];
    std::int64_t winding;
    bool ambiguous;
    bool on_surface;
    Counters counters;
    Verdict verdict;
    bool ready;
    TreeSearch<AabbSearch> search;

    /// Zero for boxes that the ray may meet, infinite for the rest: the projections of the box beside the ray
    /// onto the planes of two axes would be tighter, but a slab test is cheap and enough.
    F4 bounds(const F4* lo, const F4* hi) const {
        F4 enter = splat(0.0F), leave = splat(3e38F);
        for (int k = 0; k < 3; ++k) {
            const F4 reciprocal = splat(static_cast<float>(1 / direction[k]));
            const F4 t0 = ((lo[k] - splat(query.rounded[k])) - splat(query.margin)) * reciprocal;
            const F4 t1 = ((hi[k] - splat(query.rounded[k])) + splat(query.margin)) * reciprocal;
            enter = max(enter, min(t0, t1));
            leave = min(leave, max(t0, t1));
        }
        return select(enter * 0.9999995F > leave * 1.0000005F, splat(__builtin_huge_valf()), splat(0.0F));
    }

    float useful() const { return 1.0F; }

    bool leaf(std::uint32_t first, std::uint32_t count, Counters* work) {
        for (std::uint32_t i = 0; i < count && !ambiguous && !on_surface; ++i) {
            const Triangle3 t = exact_triangle_a(mesh, search.codec().tree().triangle_at(first + i));
            ++work->triangle_tests;
            ++work->exact_tests;
            const EdgeSides sides = edge_sides(t, query.exact, direction);
            if (!sides.crosses()) continue;
            if (touches(t)) {
                on_surface = true;
                break;
            }
            if (sides.on_edge()) {
                ambiguous = sides.sum() == 0 || crossing_parameter(t, sides, query.exact, direction) >= 0;
                continue;
            }
            if (crossing_parameter(t, sides, query.exact, direction) > 0) winding += sides.sum() > 0 ? 1 : -1;
        }
        return ambiguous || on_surface;
    }

    /// Corners apart: the nearest point is computed relative to one of them, and need not be exact at the
    /// others.
    bool touches(const Triangle3& t) const {
        double nearest[3];
        closest_point_on_triangle(t, query.exact, nearest);
        return same(nearest) || same(t.p[0]) || same(t.p[1]) || same(t.p[2]);
    }

    bool same(const double* p) const {
        return p[0] == query.exact[0] && p[1] == query.exact[1] && p[2] == query.exact[2];
    }
};

void start_attempt(InsideState* s) {
    // After the fixed directions, tilt the last one a little more each time.
    const int fixed = s->attempt % kDirectionCount;
    const int round = s->attempt / kDirectionCount;
    const double tilt = 1 + 0.0137 * round;
    s->direction[0] = kDirections[fixed][0] * tilt;
    s->direction[1] = kDirections[fixed][1];
    s->direction[2] = kDirections[fixed][2] / tilt;
    s->winding = 0;
    s->ambiguous = s->on_surface = false;
    s->search.begin(*s, &s->counters);
}

/// This number of different rays cannot all meet edges exactly unless the mesh is nothing but edges there.
constexpr int kMaxAttempts = 32;

}  // namespace

Status InsideQuery::begin(const ShapeView& part, const double point[3]) {
    InsideState* s = make_state<InsideState>(state_);
    s->verdict = Verdict::kUnresolved;
    s->ready = false;
    s->counters = Counters();
    if (!part.aabb.nodes) return Status::kNoTree;
    if (!part.closed) return Status::kNotClosed;
    if (!point || !finite3(point)) return Status::kInvalidArgument;
    s->mesh = part.mesh;
    s->search.set_part(part);
    s->query.set(part, point);
    s->attempt = 0;
    start_attempt(s);
    s->ready = true;
    return Status::kOk;
}

Verdict InsideQuery::step(const Budget& budget) {
    InsideState* s = state<InsideState>(state_);
    const std::uint64_t limit = budget_limit(budget, s->counters);
    while (s->ready) {
        Budget rest = budget;
        rest.node_tests = limit - s->counters.node_tests;
        if (limit == Budget::kUnlimited) rest.node_tests = limit;
        if (s->counters.node_tests >= limit || !s->search.run(s, rest, &s->counters)) return s->verdict;
        if (s->ambiguous && ++s->attempt < kMaxAttempts) {
            start_attempt(s);
            continue;
        }
        s->verdict = s->on_surface || s->winding != 0 ? Verdict::kColliding : Verdict::kDisjoint;
        s->ready = false;
    }
    return s->verdict;
}

Verdict InsideQuery::verdict() const {
    return state<InsideState>(state_)->verdict;
}

const Counters& InsideQuery::counters() const {
    return state<InsideState>(state_)->counters;
}

}  // namespace espalier
