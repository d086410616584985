// SPDX-License-Identifier: MIT
// Lower bounds of the distances of cells, for the walk with another elementary operation (Zachmann 1997,
// "Simultaneous recursive traversal").
#pragma once

#include "../pair/best_axis.h"
#include "lanes.h"

namespace espalier {

/// The intervals of SAT lite as lower bounds of distances.
class CellBounds : public CellIntervals<Overlap::kSatLite> {
  public:
    static constexpr bool kDistances = true;

    void begin() {
        const float none[3] = {0, 0, 0};
        set_axis(none);
    }
    void set_axis(const float* axis) { axis_ = best_axis(axis, frame()); }

    /// As CellIntervals::test. The gaps along a frame's axes are the sides of a box between the two cells;
    /// four roundings of relative 2^-24 are covered by shrinking the root.
    unsigned test(const Lanes& a, const Lanes& b, const CellDescent& d, float reach, float* gaps) const {
        F4 squared[2] = {splat(0.0f), splat(0.0f)};
        for (unsigned k = 0; k < 6; ++k) {
            const F4 gap = positive(axis_gap(a, b, d, k));
            const F4 side = k < 3 ? gap : gap * frame().scale4[k - 3];
            squared[k / 3] = squared[k / 3] + side * side;
        }
        float reaches[2][4];
        store4(reaches[0], interval_reach<0>(a.lo, a.hi, axis_));
        store4(reaches[1], interval_reach<1>(b.lo, b.hi, axis_));
        const F4 along =
            (pair_values(reaches[1], d.down[1], d.lane[1]) - pair_values(reaches[0], d.down[0], d.lane[0])) -
            frame().margin4;
        const F4 bound = max(along, sqrt(max(squared[0], squared[1])) * 0.9999995f);
        store4(gaps, bound);
        return bits(bound <= splat(reach));
    }

  private:
    BestAxis axis_;  // between the nearest points found so far
};

}  // namespace espalier
