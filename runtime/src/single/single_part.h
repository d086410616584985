// SPDX-License-Identifier: MIT
// What the queries of one part share.
#pragma once

#include "../base/rounding.h"
#include "../pair/leaf_pair.h"
#include "espalier/asset.h"

namespace espalier {

/// A point or origin, relative to the stored positions, and the rounding margin of float boxes about it.
struct LocalPoint {
    double exact[3];
    float rounded[3];
    float margin;

    void set(const ShapeView& part, const double* point) {
        double reach = 0;
        for (int k = 0; k < 3; ++k) {
            exact[k] = point[k] - part.origin[k];
            rounded[k] = static_cast<float>(exact[k]);
            const double sides[3] = {std::fabs(exact[k]), std::fabs(double(part.lo[k])),
                                     std::fabs(double(part.hi[k]))};
            for (const double side : sides)
                if (side > reach) reach = side;
        }
        // Decoded sides are off by 2 u, the point by u, their difference by u of the reach each: 8 u is
        // ample.
        margin = static_cast<float>(8.0 / 16777216.0 * reach);
    }
};

}  // namespace espalier
