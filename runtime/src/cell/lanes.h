// SPDX-License-Identifier: MIT
// The two children of a cell-tree node with their intervals along the axes of an overlap test, laid out so
// that the four pairs of two nodes' children are four lanes: A's children lie as left right left right, B's
// as left left right right. What depends on one node only is computed once and kept for all pairs.
#pragma once

#include "../pair/intervals.h"
#include "codec.h"

namespace espalier {

/// Which sides of a pair were replaced by their children, and the lanes of those that were not.
struct CellDescent {
    bool down[2];
    unsigned lane[2];
};

/// Child in a lane, first lane of a child, and lanes of the children present.
inline unsigned child_of(unsigned side, unsigned lane) {
    return side == 0 ? lane & 1u : lane >> 1;
}
inline unsigned lane_of_child(unsigned side, unsigned child) {
    return side == 0 ? child : 2 * child;
}
inline unsigned present_lanes(unsigned side, bool left, bool right) {
    return side == 0 ? (left ? 5u : 0u) | (right ? 10u : 0u) : (left ? 3u : 0u) | (right ? 12u : 0u);
}

/// Intervals of two cells, each in two lanes.
template <Overlap kOverlap>
struct alignas(16) CellLanes {
    float lo[stored_axes(kOverlap)][4];
    float hi[stored_axes(kOverlap)][4];
    float size[4];  ///< as the projections leave it
    CellRange range[2];
    std::uint32_t source;  ///< node whose children these are
};

/// A value of all four pairs: by lanes where the side was descended, else that of its one lane.
inline F4 pair_values(const float* lanes, bool down, unsigned lane) {
    return down ? load4(lanes) : splat(lanes[lane]);
}

/// Overlap by intervals: axis alignment, SAT lite and SAT, by their intervals.
template <Overlap kOverlap>
class CellIntervals {
  public:
    using Lanes = CellLanes<kOverlap>;
    static constexpr bool kDistances = false;

    /// Precondition: the frame is filled.
    void begin() {}
    void set_reach(float) {}
    PairFrame& frame() { return frame_; }
    const PairFrame& frame() const { return frame_; }

    template <unsigned kSide>
    void root(const CellVolume& cell, Lanes* out) const {
        project<kSide>(cell, cell, out);
    }

    /// Cells inside the one in a lane of `from`.
    template <unsigned kSide>
    void children(const CellVolume* cells, const Lanes&, unsigned, Lanes* out) const {
        project<kSide>(cells[0], cells[1], out);
    }

    /// The cell in a lane.
    static CellVolume volume(const Lanes& lanes, unsigned side, unsigned lane) {
        CellVolume v;
        for (unsigned k = 0; k < 3; ++k) {
            v.lo[k] = lanes.lo[3 * side + k][lane];
            v.hi[k] = lanes.hi[3 * side + k][lane];
        }
        return v;
    }

    /// Bits of the pairs whose cells may be within `reach`; `gaps` receives the measure by which pairs are
    /// ordered, a lower bound of their distance where it is positive.
    unsigned test(const Lanes& a, const Lanes& b, const CellDescent& d, float reach, float* gaps) const {
        constexpr unsigned kFaces = kOverlap == Overlap::kAxis ? 3 : 6;
        const F4 limit = splat(reach);
        F4 gap = splat(-3.0e38f);
        for (unsigned k = 0; k < kFaces; ++k) {
            const F4 along = axis_gap(a, b, d, k);
            gap = max(gap, k < 3 ? along : along * frame().scale4[k - 3]);
        }
        store4(gaps, gap);
        unsigned hits = bits(gap <= limit);
        if constexpr (kOverlap == Overlap::kSat)
            if (reach <= 0.0f)  // edge axes are no unit vectors
                for (unsigned k = 6; k < 15 && hits; ++k) hits &= bits(axis_gap(a, b, d, k) <= limit);
        return hits;
    }

    static F4 axis_gap(const Lanes& a, const Lanes& b, const CellDescent& d, unsigned k) {
        const F4 below =
            pair_values(b.lo[k], d.down[1], d.lane[1]) - pair_values(a.hi[k], d.down[0], d.lane[0]);
        const F4 above =
            pair_values(a.lo[k], d.down[0], d.lane[0]) - pair_values(b.hi[k], d.down[1], d.lane[1]);
        return max(below, above);
    }

  private:
    template <unsigned kSide>
    void project(const CellVolume& left, const CellVolume& right, Lanes* out) const {
        F4 lo[3], hi[3];
        for (unsigned k = 0; k < 3; ++k) {
            lo[k] = pattern<kSide>(left.lo[k], right.lo[k]);
            hi[k] = pattern<kSide>(left.hi[k], right.hi[k]);
        }
        if constexpr (kSide == 0)
            project_a<kOverlap>(frame_, lo, hi, out);
        else
            project_b<kOverlap>(frame_, lo, hi, out);
    }

    template <unsigned kSide>
    static F4 pattern(float left, float right) {
        const float lanes[4] = {left, kSide == 0 ? right : left, kSide == 0 ? left : right, right};
        return load4(lanes);
    }

    PairFrame frame_;
};

}  // namespace espalier
