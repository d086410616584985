// SPDX-License-Identifier: MIT
// The lower bound: the least gap of all that is open, or that of the parts' bounds where coverage is not
// proved.
#pragma once

#include "state.h"

namespace espalier {

/// Least gap of all that is open.
static double open_bound(const SphereState& s) {
    float least = 3e38F;
    for (std::uint32_t i = 0; i < s.front.count(); ++i)
        if (s.front[i].key != kMeasured && s.front[i].gap < least) least = s.front[i].gap;
    for (std::uint32_t i = 0; i < s.depth; ++i)
        if (s.stack[i].pair.gap < least) least = s.stack[i].pair.gap;
    return least < 3e38F ? double(least) : kInfinity;
}

/// The sphere around a part's bounds.
static SphereNode around_bounds(const ShapeView& part) {
    SphereNode around;
    double squared = 0;
    for (int k = 0; k < 3; ++k) {
        around.center[k] = 0.5F * part.lo[k] + 0.5F * part.hi[k];
        const double half =
            0.5 * (double(part.hi[k]) - double(part.lo[k])) + 1e-7 * std::fabs(double(around.center[k]));
        squared += half * half;
    }
    around.radius = upward(std::sqrt(squared));
    return around;
}

/// Takes what is open now into the lower bound. Looks at every open pair.
static void update_lower(SphereState* s) {
    double lower = s->bounds_lower;
    if (s->covers) {
        lower = open_bound(*s);
        if (s->outside < lower) lower = s->outside;
    }
    if (lower > s->lower) s->lower = lower;
    if (s->lower > s->upper) s->lower = s->upper;
}

/// What is known without coverage: the gap of the spheres around the parts' bounds.
static double gap_of_bounds(const SphereState& s) {
    const PlacedSphere a = place_sphere_a(around_bounds(s.part[0]), 0, 0);
    const PlacedSphere b = place_sphere_b(around_bounds(s.part[1]), 0, 0, s.frame, s.scale);
    const double gap = bound_pair(a, b).gap;
    return gap > 0 ? gap : 0;
}

}  // namespace espalier
