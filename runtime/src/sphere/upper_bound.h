// SPDX-License-Identifier: MIT
// What pairs of spheres, of triangles and of surface points prove about the upper bound: the stored errors
// where no connected piece of one part can lie inside the other's solid (schema/FORMAT.md, "What a pair of
// spheres proves"), else surface points; triangles make it exact.
#pragma once

#include "shells.h"
#include "state.h"

namespace espalier {

/// The triangles that were nearest are likely to be near again.
static void measure_best(SphereState* s) {
    if (!(s->best.distance < kInfinity)) return;
    const Triangle3 a = exact_triangle_a(s->meshes.mesh[0], s->best.triangle[0]);
    const Triangle3 b = exact_triangle_b(s->meshes.mesh[1], s->best.triangle[1], s->frame);
    s->best.distance = triangle_distance(a, b, s->best.point[0], s->best.point[1]);
    for (int k = 0; k < 3; ++k) {
        const double along = s->best.point[1][k] - s->best.point[0][k];
        s->best.axis[k] = s->best.distance > 0 ? static_cast<float>(along / s->best.distance) : 0.0F;
    }
    if (s->best.distance < s->upper) {
        s->upper = s->best.distance;
        s->hit_by_triangles = true;
    }
}

/// A surface point below a sphere: a corner of the first triangle of its first leaf; null when that is empty.
static const float* surface_point(const ShapeView& part, std::uint32_t sphere) {
    const SphereTreeView& tree = part.sphere;
    std::uint32_t first, end;
    while (!is_leaf(tree, sphere)) {
        tree.children(sphere, &first, &end);
        sphere = tree.child_at(first);
    }
    tree.leaf(sphere, &first, &end);
    return first < end ? part.mesh.corner(tree.leaf_triangles[first], 0) : nullptr;
}

/// What single pairs of spheres and triangles prove in this pose.
static void place(SphereState* s) {
    const ShellAxes axes = shell_axes(s->frame);
    s->errors_hold = no_shell_inside(s->part[0], s->part[1], 0, s->frame, s->scale, axes) &&
                     no_shell_inside(s->part[1], s->part[0], 1, s->frame, s->scale, axes);
    measure_best(s);
    s->placed = true;
}

/// Notes what a pair of spheres proves about the upper bound.
static void consider(SphereState* s, std::uint32_t a, std::uint32_t b, const PairBound& bound) {
    if (!(bound.upper < s->upper)) return;
    if (!s->placed) {
        if (bound.gap > s->options.goal.within) return;  // it decides nothing, and to place the parts costs
        place(s);
    }
    if (!s->errors_hold || !(bound.upper < s->upper)) return;
    s->upper = bound.upper;
    s->nearest[0] = a;
    s->nearest[1] = b;
    if (s->upper == 0) s->hit = SpherePair{0, downward(bound.gap), a, b};
}

/// Where errors prove nothing, two surface points still do.
static void consider_surface_points(SphereState* s, std::uint32_t a, std::uint32_t b) {
    const float* p = surface_point(s->part[0], a);
    const float* q = surface_point(s->part[1], b);
    if (!p || !q) return;
    double placed[3], squared = 0;
    s->frame.place(q, placed);
    for (int k = 0; k < 3; ++k) squared += (placed[k] - double(p[k])) * (placed[k] - double(p[k]));
    const double distance = std::sqrt(squared) * (1 + 1e-15);
    if (!(distance < s->upper)) return;
    s->upper = distance;
    s->nearest[0] = a;
    s->nearest[1] = b;
    if (s->upper == 0) s->hit = SpherePair{0, 0, a, b};
}

}  // namespace espalier
