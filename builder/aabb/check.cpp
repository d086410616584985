// SPDX-License-Identifier: GPL-3.0-or-later
// The geometric part of a check for aabb trees: every corner of every leaf's triangles against every box and
// slab above it.
#include <algorithm>
#include <cmath>

#include "builder/aabb/row.h"
#include "builder/aabb/walk.h"

namespace espalier {
namespace {

/// A slab is allowed this much of its box's circumradius, and this much of the box's largest coordinate,
/// since its centre is rounded to float: it counts where a box is only a few floats wide. Every query adds a
/// larger margin (pair_frame.cpp).
constexpr double kSlabSlack = 1e-6;
constexpr double kCenterSlack = 1.0 / 8388608.0;

bool slab_holds(const AabbVolume& v, const float* p) {
    double along = 0, squared = 0, circumradius = 0, largest = 0;
    for (int k = 0; k < 3; ++k) {
        const double d = double(p[k]) - double((v.lo[k] + v.hi[k]) * 0.5F);
        const double half = double((v.hi[k] - v.lo[k]) * 0.5F);
        along += d * double(v.normal[k]);
        squared += d * d;
        circumradius += half * half;
        largest = std::max({largest, std::fabs(double(v.lo[k])), std::fabs(double(v.hi[k]))});
    }
    const double slack = kSlabSlack * std::sqrt(circumradius) + kCenterSlack * largest;
    const double across = std::sqrt(std::max(squared - along * along, 0.0));
    return along >= double(v.slab_lo) - slack && along <= double(v.slab_hi) + slack &&
           across <= double(v.radius) + slack;
}

}  // namespace

std::vector<CheckItem> check_aabb_tree(const ShapeView& part) {
    Containment<AabbVolume> containment(
        part.mesh, part.aabb.triangle_order,
        {{{"aabb boxes contain their triangles", true, 0, ""},
          box_holds<AabbVolume>,
          "leaves a box above it"},
         {{"aabb slabs contain their triangles", true, 0, ""}, slab_holds, "leaves a slab above it"}},
        {"aabb leaves hold every triangle once", true, 0, ""}, "node");
    walk_aabb_tree(part.aabb, containment);
    return containment.items();
}

}  // namespace espalier
