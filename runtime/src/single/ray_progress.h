// SPDX-License-Identifier: MIT
// What every ray cast keeps beside its search: the ray, where it enters boxes, and the nearest hit so far.
#pragma once

#include "../triangle/ray_triangle.h"
#include "espalier/query.h"
#include "single_part.h"

namespace espalier {

/// A parameter that no box or triangle is found at.
constexpr float kRayNever = 3e38F;

struct RayProgress {
    MeshView mesh;
    double origin[3];  ///< of the part
    LocalPoint start;
    double direction[3];
    F4 reciprocal[3];
    bool flat[3];  ///< the ray does not move along this axis
    bool ready;    ///< the search goes on
    bool found;
    RayMode mode;
    double nearest;
    RayHit hit;
    Counters counters;
    Verdict verdict;

    /// Forgets what was; `has_tree` says whether the part has the tree that will be searched.
    Status reset(const ShapeView& part, bool has_tree, const Ray& ray, RayMode new_mode) {
        verdict = Verdict::kUnresolved;
        ready = found = false;
        counters = Counters();
        if (!has_tree) return Status::kNoTree;
        if (!finite3(ray.origin) || !finite3(ray.direction) || !(ray.max_t >= 0))
            return Status::kInvalidArgument;
        if (ray.direction[0] == 0 && ray.direction[1] == 0 && ray.direction[2] == 0)
            return Status::kInvalidArgument;
        mesh = part.mesh;
        start.set(part, ray.origin);
        for (int k = 0; k < 3; ++k) {
            origin[k] = part.origin[k];
            direction[k] = ray.direction[k];
            // A reciprocal that float cannot hold means that the ray leaves no box along this axis first.
            flat[k] = std::fabs(ray.direction[k]) < 1e-30;
            reciprocal[k] = splat(flat[k] ? 0.0F : static_cast<float>(1 / ray.direction[k]));
        }
        nearest = ray.max_t;
        mode = new_mode;
        ready = true;
        return Status::kOk;
    }

    /// Parameters at which the ray enters four boxes; infinite where it misses. The reciprocal and the
    /// products round by 2^-24 each, which the last factors cover.
    F4 enter_boxes(const F4* lo, const F4* hi) const {
        const F4 margin = splat(start.margin), zero = splat(0.0F);
        F4 enter = zero, leave = splat(kRayNever);
        for (int k = 0; k < 3; ++k) {
            const F4 from = (lo[k] - splat(start.rounded[k])) - margin;
            const F4 to = (hi[k] - splat(start.rounded[k])) + margin;
            if (flat[k]) {
                leave = select((from > zero) | (zero > to), splat(-kRayNever), leave);
                continue;
            }
            const F4 t0 = from * reciprocal[k], t1 = to * reciprocal[k];
            enter = max(enter, min(t0, t1));
            leave = min(leave, max(t0, t1));
        }
        enter = enter * 0.9999995F;
        return select(enter > leave * 1.0000005F, splat(__builtin_huge_valf()), enter);
    }

    /// Boxes entered beyond this hold no nearer hit.
    float useful() const { return upward(nearest); }

    /// The triangles at `count` leaf positions of `tree` from `first`. True: the search may end.
    template <class TreeView>
    bool test_triangles(const TreeView& tree, std::uint32_t first, std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t triangle = tree.triangle_at(first + i);
            const Triangle3 t = exact_triangle_a(mesh, triangle);
            ++counters.triangle_tests;
            ++counters.exact_tests;
            const EdgeSides sides = edge_sides(t, start.exact, direction);
            if (!sides.crosses() || sides.sum() == 0) continue;
            const double at = crossing_parameter(t, sides, start.exact, direction);
            if (!(at >= 0) || at > nearest || (found && at == nearest)) continue;
            nearest = hit.t = at;
            hit.triangle = triangle;
            found = true;
            if (mode == RayMode::kAny) return true;
        }
        return false;
    }

    /// The search has ended: a hit found before could still have been beaten, so the verdict is told only
    /// now.
    void finish() {
        ready = false;
        verdict = found ? Verdict::kColliding : Verdict::kDisjoint;
        if (!found) return;
        const Triangle3 t = exact_triangle_a(mesh, hit.triangle);
        double e[2][3], n[3], length2 = 0;
        for (int k = 0; k < 3; ++k) {
            e[0][k] = t.p[1][k] - t.p[0][k];
            e[1][k] = t.p[2][k] - t.p[0][k];
            hit.point[k] = start.exact[k] + hit.t * direction[k] + origin[k];
        }
        for (int k = 0; k < 3; ++k) {
            n[k] = e[0][(k + 1) % 3] * e[1][(k + 2) % 3] - e[0][(k + 2) % 3] * e[1][(k + 1) % 3];
            length2 += n[k] * n[k];
        }
        for (int k = 0; k < 3; ++k) hit.normal[k] = length2 > 0 ? n[k] / std::sqrt(length2) : 0;
    }
};

}  // namespace espalier
