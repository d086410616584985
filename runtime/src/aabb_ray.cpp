// SPDX-License-Identifier: MIT
// Ray cast on an aabb tree: slab test of four boxes at a time, nearest first.
#include "ray_triangle.h"
#include "single_part.h"

namespace espalier {
namespace {

constexpr float kNever = 3e38f;

struct RayState {
    MeshView mesh;
    AabbTreeView tree;
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
    AabbSearch search;

    F4 bounds(const V4& lo, const V4& hi) const {
        const F4 sides[3][2] = {{lo.x, hi.x}, {lo.y, hi.y}, {lo.z, hi.z}};
        F4 enter = splat(0.0f), leave = splat(kNever);
        const F4 margin = splat(start.margin);
        for (int k = 0; k < 3; ++k) {
            const F4 from = (sides[k][0] - splat(start.rounded[k])) - margin;
            const F4 to = (sides[k][1] - splat(start.rounded[k])) + margin;
            if (flat[k]) {
                const M4 beside = (from > splat(0.0f)) | (splat(0.0f) > to);
                enter = select(beside, splat(kNever), enter);
                leave = select(beside, splat(0.0f), leave);
            } else {
                const F4 t0 = from * reciprocal[k], t1 = to * reciprocal[k];
                enter = max(enter, min(t0, t1));
                leave = min(leave, max(t0, t1));
            }
        }
        // Reciprocal and products round by 2^-24 each.
        enter = enter * 0.9999995f;
        return select(enter > leave * 1.0000005f, splat(__builtin_huge_valf()), enter);
    }

    float useful() const { return nearest < 3e38 ? static_cast<float>(nearest * (1 + 1e-6)) : kNever; }

    bool leaf(std::uint32_t first, std::uint32_t count, Counters* work) {
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t triangle = tree.triangle_at(first + i);
            const Triangle3 t = exact_triangle_a(mesh, triangle);
            ++work->triangle_tests;
            ++work->exact_tests;
            const EdgeSides sides = edge_sides(t, start.exact, direction);
            if (!sides.crosses() || sides.sum() == 0) continue;
            const double at = crossing_parameter(t, sides, start.exact, direction);
            if (!(at >= 0) || at > nearest || (verdict == Verdict::kColliding && at == nearest)) continue;
            nearest = at;
            verdict = Verdict::kColliding;
            hit.triangle = triangle;
            hit.t = at;
            if (mode == RayMode::kAny) return true;
        }
        return false;
    }
};

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

Status AabbRayCast::begin(const PartView& part, const Ray& ray, RayMode mode) {
    RayState* s = make_state<RayState>(state_);
    s->verdict = Verdict::kUnresolved;
    s->ready = false;
    s->counters = Counters();
    if (!part.aabb.nodes) return Status::kNoTree;
    if (!finite3(ray.origin) || !finite3(ray.direction) || !(ray.max_t >= 0)) return Status::kInvalidArgument;
    if (ray.direction[0] == 0 && ray.direction[1] == 0 && ray.direction[2] == 0)
        return Status::kInvalidArgument;
    s->mesh = part.mesh;
    s->tree = part.aabb;
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
    s->search.begin(part.aabb);
    s->ready = true;
    return Status::kOk;
}

Verdict AabbRayCast::step(const Budget& budget) {
    RayState* s = state<RayState>(state_);
    if (!s->ready) return s->verdict;
    // A hit found so far may still be beaten, so the verdict is told only when the search has ended.
    const bool ended = s->search.run(s, budget, &s->counters);
    if (!ended) return Verdict::kUnresolved;
    s->ready = false;
    if (s->verdict == Verdict::kColliding)
        complete_hit(s);
    else
        s->verdict = Verdict::kDisjoint;
    return s->verdict;
}

Verdict AabbRayCast::verdict() const {
    const RayState* s = state<RayState>(state_);
    return s->ready ? Verdict::kUnresolved : s->verdict;
}

const RayHit& AabbRayCast::hit() const {
    return state<RayState>(state_)->hit;
}

const Counters& AabbRayCast::counters() const {
    return state<RayState>(state_)->counters;
}

}  // namespace espalier
