// SPDX-License-Identifier: MIT
// Boxes of triangles and edges along A's axes, four at a time: the cheapest filter of two full leaves.
#pragma once

#include "../base/simd.h"

namespace espalier {

/// Boxes along A's axes.
struct Boxes4 {
    V4 lo, hi;
};

inline Boxes4 corners_box(const V4& a, const V4& b, const V4& c) {
    return {{min(a.x, min(b.x, c.x)), min(a.y, min(b.y, c.y)), min(a.z, min(b.z, c.z))},
            {max(a.x, max(b.x, c.x)), max(a.y, max(b.y, c.y)), max(a.z, max(b.z, c.z))}};
}

inline unsigned boxes_meet(const Boxes4& a, const Boxes4& b, float margin) {
    const F4 x = max(a.lo.x - b.hi.x, b.lo.x - a.hi.x);
    const F4 y = max(a.lo.y - b.hi.y, b.lo.y - a.hi.y);
    const F4 z = max(a.lo.z - b.hi.z, b.lo.z - a.hi.z);
    return bits(max(x, max(y, z)) <= splat(margin));
}

}  // namespace espalier
