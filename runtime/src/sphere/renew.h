// SPDX-License-Identifier: MIT
// The same pair of parts in another pose: what of the last front and its bounds still holds.
#pragma once

#include "lower_bound.h"
#include "refine.h"

namespace espalier {

/// Sorts a measured front by its new gaps. Of two parts that have not come near each other nothing is open.
static void sort_front(SphereState* s) {
    const double useful = useful_distance(*s);
    const std::uint32_t most_parked = s->front.capacity() / 2;
    std::uint32_t kept = 0, parked = 0;
    for (std::uint32_t i = 0; i < s->front.count(); ++i) {
        SpherePair pair = s->front[i];
        const double gap = double(pair.gap);
        if (!(gap > useful)) {
            const float *errors_a = s->part[0].sphere.errors, *errors_b = s->part[1].sphere.errors;
            const double width = double(errors_a[pair.a]) + double(errors_b[pair.b]) * s->scale.most;
            pair.key = key_of(s, pair.a, pair.b, gap, width);
        } else if (gap <= useful + s->options.skin && parked < most_parked) {
            pair.key = parked_key(pair.gap);
            ++parked;
        } else {
            if (gap < s->outside) s->outside = gap;
            continue;
        }
        s->front[kept++] = pair;
    }
    s->front.restore(kept);
}

/// Forgets the front and begins at the roots.
static void start_at_roots(SphereState* s) {
    s->front.clear();
    s->depth = 0;
    s->outside = kInfinity;
    s->measured = false;
    s->warm = false;
    s->old = false;
    s->drift = 0;
    s->last = SpherePair{0, 0, ~0u, ~0u};
    const PlacedSphere a = placed_sphere(*s, 0, 0), b = placed_sphere(*s, 1, 0);
    const PairBound bound = bound_pair(a, b);
    ++s->counters.node_tests;
    consider(s, 0, 0, bound);
    SpherePair root{0, downward(bound.gap), 0, 0};
    root.key = key_of(s, 0, 0, bound.gap, a.error + b.error);
    s->front.push(root);
}

/// No point of B moved farther than this from one pose to the present one.
static double motion(const SphereState& s, const PairFrame& before) {
    const SphereNode& root = s.part[1].sphere.spheres[0];
    double from[3], to[3], shift = 0, turn = 0;
    before.place(root.center, from);
    s.frame.place(root.center, to);
    for (int k = 0; k < 3; ++k) shift += (to[k] - from[k]) * (to[k] - from[k]);
    for (int i = 0; i < 9; ++i) {
        const double d = s.frame.to_a[i] - before.to_a[i];
        turn += d * d;
    }
    const double rounding = kPlacingRounding * (placed_sphere(s, 1, 0).magnitude + std::fabs(from[0]) +
                                                std::fabs(from[1]) + std::fabs(from[2]));
    return (std::sqrt(shift) + std::sqrt(turn) * (double(root.radius) + double(s.part[1].sphere.gap))) *
               (1 + 1e-12) +
           rounding;
}

/// One visit to an old front: measures up to kVisit of its pairs in the new pose.
static void renew_front(SphereState* s) {
    const std::uint32_t left = s->front.count() - s->renewed;
    const std::uint32_t end = s->renewed + (left < kVisit ? left : kVisit);
    for (; s->renewed < end; ++s->renewed) {
        SpherePair& pair = s->front[s->renewed];
        const PairBound bound = bound_pair(placed_sphere(*s, 0, pair.a), placed_sphere(*s, 1, pair.b));
        ++s->counters.node_tests;
        pair.gap = downward(bound.gap);
        consider(s, pair.a, pair.b, bound);
    }
    if (s->renewed < s->front.count()) return;
    s->old = false;
    s->drift = 0;
    sort_front(s);
}

/// What is left of the last pose's knowledge after no point of B moved farther than `moved`. Where the goal
/// is a distance within reach, the last bounds stay true with the motion on either side; then the front of
/// parts that were near waits for a step. The separation itself is sought anew.
static void move_on(SphereState* s, double moved) {
    const double matters = s->options.goal.within;
    const bool was_near = !(s->lower > matters);
    if (s->measured && s->upper < s->outside) s->outside = s->upper;
    s->outside -= moved;
    s->lower = s->covers && s->lower > moved ? s->lower - moved : 0;
    s->upper = s->covers && matters < kInfinity ? s->upper + moved : kInfinity;
    s->bounds_lower = s->covers ? 0 : gap_of_bounds(*s);
    s->nearest[0] = kNoSphere;
    s->counters = Counters();
    s->hit_by_triangles = false;
    s->measured = false;
    s->placed = false;
    s->sequence = 0;
    // The lowest expansion stands for all above it, and for what of it is in the front already.
    if (s->depth > 0) s->front.push(s->stack[0].pair);
    s->depth = 0;
    s->last = SpherePair{0, 0, ~0u, ~0u};
    s->warm = true;
    s->drift = s->old ? s->drift + moved : moved;
    s->old = s->front.count() > 0;
    s->renewed = 0;
    s->done = s->lower > matters;
    if (s->done) return;
    if (!s->covers || !(s->outside > 0))
        start_at_roots(s);
    else if (was_near && matters < kInfinity)
        return;
    while (s->old) renew_front(s);
    update_lower(s);
}

}  // namespace espalier
