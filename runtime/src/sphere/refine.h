// SPDX-License-Identifier: MIT
// Progressive refinement of pairs of spheres (Hubbard 1996, sections 2 and 7). The open pairs are a cut
// through all pairs of paths from the roots: what is not under them was proved to be far, or was measured.
// One visit: an open pair gives way to pairs with the children of one of its spheres, or to the triangles of
// two leaves. (Functions are static here and in the other pieces of query.cpp: called once, they cost no code
// of their own.)
#pragma once

#include "upper_bound.h"

namespace espalier {

/// Most sphere tests of a visit, and most pairs of triangles. More would make a step exceed its budget by
/// more, fewer would ask the clock more often.
constexpr std::uint32_t kVisit = 8;

/// Triangles cost much and two leaves often tell enough: they wait until no other pair has bounds wider than
/// this many times theirs.
constexpr double kLeafPatience = 4;

/// Where a pair comes in the order of refinement. While any pair overlaps, the lower bound is 0 whichever
/// is refined, and what counts is the upper bound: the pair that promises the least comes first. Once none
/// does, it is the least gap that holds the lower bound down.
/// @param width how far the pair's bounds are apart: the errors of both spheres
static std::uint32_t key_of(SphereState* s, std::uint32_t a, std::uint32_t b, double gap, double width) {
    if (s->options.order == SphereOrder::kLevel) {
        const std::uint32_t depth = s->part[0].sphere.level_of(a) + s->part[1].sphere.level_of(b);
        return depth << 25 | (s->dag ? 0u : s->sequence++ & 0x1ffffffu);
    }
    if (gap > 0) return ordered_bits(static_cast<float>(gap));
    if (s->options.order == SphereOrder::kWidestFirst) return ordered_bits(-static_cast<float>(width));
    const bool leaves = is_leaf(s->part[0].sphere, a) && is_leaf(s->part[1].sphere, b);
    return ordered_bits(-1 / (static_cast<float>(leaves ? kLeafPatience * width : width) + 1e-30F));
}

/// A pair that is too far apart to matter: remembered for the next frame, or only its distance.
static void set_aside(SphereState* s, SpherePair pair) {
    if (double(pair.gap) <= useful_distance(*s) + s->options.skin && s->front.room_to_park()) {
        pair.key = parked_key(pair.gap);
        s->front.push(pair);
    } else if (double(pair.gap) < s->outside) {
        s->outside = double(pair.gap);
    }
}

/// A pair of leaves that is finished with.
static void retire_leaves(SphereState* s, SpherePair pair, std::uint32_t key) {
    if (s->front.room_to_park()) {
        pair.key = key;
        s->front.push(pair);
    } else if (key == kMeasured) {
        s->measured = true;
    } else if (double(pair.gap) < s->outside) {
        s->outside = double(pair.gap);
    }
}

/// Which of two inner spheres to open: in level order the one that is behind, else the larger.
static std::uint32_t side_to_open(const SphereState& s, const SpherePair& pair) {
    const SphereTreeView &a = s.part[0].sphere, &b = s.part[1].sphere;
    if (is_leaf(a, pair.a)) return 1;
    if (is_leaf(b, pair.b)) return 0;
    if (s.options.order == SphereOrder::kLevel) return a.level_of(pair.a) <= b.level_of(pair.b) ? 0 : 1;
    const double radius_a = double(a.spheres[pair.a].radius);
    const double radius_b = double(b.spheres[pair.b].radius) * s.scale.most;
    return radius_a >= radius_b ? 0 : 1;
}

static void expand(SphereState* s, const SpherePair& pair) {
    const SphereTreeView &a = s->part[0].sphere, &b = s->part[1].sphere;
    if (s->placed && !s->errors_hold) consider_surface_points(s, pair.a, pair.b);
    Expansion e;
    e.pair = pair;
    e.other = 0;
    std::uint32_t end_b;
    if (is_leaf(a, pair.a) && is_leaf(b, pair.b)) {
        if (!s->options.exact) return retire_leaves(s, pair, kEndOfSpheres);
        a.leaf(pair.a, &e.next, &e.end);
        b.leaf(pair.b, &e.other, &end_b);
        if (e.next == e.end || e.other == end_b) return retire_leaves(s, pair, kMeasured);
        e.side = kLeaves;
        ++s->counters.leaf_pairs;
    } else {
        e.side = side_to_open(*s, pair);
        (e.side == 0 ? a : b).children(e.side == 0 ? pair.a : pair.b, &e.next, &e.end);
    }
    ESPALIER_ASSERT(s->depth < kMostExpansions);
    s->stack[s->depth++] = e;
}

/// A full front: refine at once, depth first. In a DAG that could follow every path there is, so there the
/// pair's own bound is all that is kept.
static void without_room(SphereState* s, const SpherePair& pair) {
    if (!s->dag) return expand(s, pair);
    if (double(pair.gap) < s->outside) s->outside = double(pair.gap);
}

/// Tests one child; a pair that matters joins the front or, where that is full, is refined at once.
static void test_child(SphereState* s, const SpherePair& parent, std::uint32_t side, std::uint32_t child,
                       const PlacedSphere& other) {
    SpherePair pair = parent;
    (side == 0 ? pair.a : pair.b) = child;
    const PlacedSphere sphere = placed_sphere(*s, int(side), child);
    const PairBound bound = side == 0 ? bound_pair(sphere, other) : bound_pair(other, sphere);
    ++s->counters.node_tests;
    consider(s, pair.a, pair.b, bound);
    const float gap = downward(bound.gap);
    // On one path, what both pairs cover is no nearer than either says.
    if (s->dag || gap > pair.gap) pair.gap = gap;
    if (double(pair.gap) > useful_distance(*s)) return set_aside(s, pair);
    if (s->front.room() == 0) return without_room(s, pair);
    pair.key = key_of(s, pair.a, pair.b, double(pair.gap), sphere.error + other.error);
    s->front.push(pair);
}

static void visit_children(SphereState* s) {
    Expansion& e = s->stack[s->depth - 1];
    const SpherePair parent = e.pair;
    const std::uint32_t side = e.side, first = e.next, left = e.end - e.next;
    // A full front takes no more: one child at a time, depth first.
    const std::uint32_t count = s->front.room() < kVisit ? 1 : left < kVisit ? left : kVisit;
    e.next += count;
    if (e.next == e.end) --s->depth;
    const SphereTreeView& tree = s->part[side].sphere;
    const PlacedSphere other = placed_sphere(*s, int(1 - side), side == 0 ? parent.b : parent.a);
    for (std::uint32_t i = 0; i < count; ++i) test_child(s, parent, side, tree.child_at(first + i), other);
}

/// Lower bound of the distance of a triangle of A to what a sphere of B covers.
static double triangle_sphere_gap(const SphereState& s, std::uint32_t triangle, const PlacedSphere& sphere) {
    const Triangle3 t = exact_triangle_a(s.meshes.mesh[0], triangle);
    double nearest[3], squared = 0, magnitude = sphere.magnitude;
    closest_point_on_triangle(t, sphere.center, nearest);
    for (int k = 0; k < 3; ++k) {
        squared += (nearest[k] - sphere.center[k]) * (nearest[k] - sphere.center[k]);
        magnitude += std::fabs(nearest[k]);
    }
    return std::sqrt(squared) - sphere.outer - 1e-12 * magnitude;
}

/// Measures up to kVisit pairs of triangles.
static void measure(SphereState* s, const SpherePair& pair, std::uint32_t a, std::uint32_t b,
                    std::uint32_t count) {
    if (!s->placed) place(s);
    NearestPair nearest = s->best;
    if (s->upper < nearest.distance) nearest.distance = s->upper;
    const double before = nearest.distance;
    const std::uint64_t leaf_pairs = s->counters.leaf_pairs;
    improve_by_leaves(s->meshes, s->frame, a, 1, b, count, &s->counters, &nearest);
    s->counters.leaf_pairs = leaf_pairs;
    s->counters.node_tests += (count + 3) / 4;
    if (!(nearest.distance < before)) return;
    s->best = nearest;
    s->upper = nearest.distance;
    s->hit_by_triangles = true;
    s->hit = pair;
}

static void visit_leaves(SphereState* s) {
    Expansion& e = s->stack[s->depth - 1];
    std::uint32_t first_b, end_b;
    s->part[1].sphere.leaf(e.pair.b, &first_b, &end_b);
    bool row_done = false;
    if (e.other == first_b) {
        const std::uint32_t triangle = s->part[0].sphere.leaf_triangles[e.next];
        const double gap = triangle_sphere_gap(*s, triangle, placed_sphere(*s, 1, e.pair.b));
        ++s->counters.node_tests;
        row_done = gap > useful_distance(*s);
        if (row_done && gap < s->outside) s->outside = gap;
    }
    if (!row_done) {
        const std::uint32_t count = end_b - e.other < kVisit ? end_b - e.other : kVisit;
        measure(s, e.pair, e.next, e.other, count);
        e.other += count;
        row_done = e.other == end_b;
    }
    if (!row_done) return;
    e.other = first_b;
    if (++e.next < e.end) return;
    const SpherePair pair = e.pair;
    --s->depth;
    retire_leaves(s, pair, kMeasured);
}

/// Begins to refine the next open pair; false when none is left that matters.
static bool expand_next(SphereState* s) {
    while (s->depth == 0) {
        if (s->front.count() == 0 || s->front[0].key >= kParked) return false;
        const SpherePair pair = s->front.pop();
        // In a DAG many paths lead to a pair; all of one depth are there before the first of them leaves.
        if (s->dag && pair.a == s->last.a && pair.b == s->last.b) continue;
        s->last = pair;
        if (double(pair.gap) > useful_distance(*s))
            set_aside(s, pair);
        else
            expand(s, pair);
    }
    return true;
}

/// Tests up to kVisit children, or pairs of triangles, of the pair that is being refined. Precondition:
/// expand_next returned true.
static void visit(SphereState* s) {
    ESPALIER_ASSERT(s->depth > 0);
    if (s->stack[s->depth - 1].side == kLeaves)
        visit_leaves(s);
    else
        visit_children(s);
}

}  // namespace espalier
