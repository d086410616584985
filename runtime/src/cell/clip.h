// SPDX-License-Identifier: MIT
// Overlap of two cells by clipping (Zachmann 1997, "Outline of the algorithm" and figures 3 and 4): two boxes
// meet if and only if an edge of one meets the other. The four parallel edges of a family are clipped
// together, four lanes of one vector. Along an edge in the direction j of X, p = (.., t, ..), a side of Y at
// y_k is crossed at
//     t = (y_k - o_k - sum over i != j of R_ki x_i) / R_kj
// where R and o take X to Y. Every product in it belongs to one side of one cell, and a child has most sides
// from its parent: it copies the products and computes the nine of every new side.
#pragma once

#include "lanes.h"

namespace espalier {

/// Directions this near to a side's plane, in units of the largest stretch, are clipped as if they left it:
/// the quotients stay finite, and what a line is moved by is added to the margin.
constexpr float kSmallestSlope = 1e-5f;

/// X's edges against Y's sides.
struct ClipFrame {
    float inverse[3][3];   ///< 1 / R_kj
    float ratio[3][3][3];  ///< [i][k][j]: R_ki / R_kj
    float offset[3];
    float margin[3];    ///< rounding along Y's axes
    float grown[3];     ///< lengths along Y's axes for a unit of reach
    float moved[3][3];  ///< and what a flat direction was turned by
    float slack[3][3];  ///< all of them, and the reach, in t

    /// `r` row major, X to Y; `reach_x` bounds the coordinates of X.
    void begin(const double* r, const double* o, const float* margins, const float* growth, double stretch,
               double reach_x) {
        for (unsigned k = 0; k < 3; ++k) {
            offset[k] = static_cast<float>(o[k]);
            grown[k] = growth[k];
            margin[k] = 2 * margins[k];
            for (unsigned j = 0; j < 3; ++j) {
                const double least = double(kSmallestSlope) * stretch, slope = r[3 * k + j];
                const bool flat = std::fabs(slope) < least;
                const double used = flat ? (slope < 0 ? -least : least) : slope;
                moved[k][j] = static_cast<float>(std::fabs(used - slope) * reach_x * 1.001);
                inverse[k][j] = static_cast<float>(1 / used);
                for (unsigned i = 0; i < 3; ++i) ratio[i][k][j] = static_cast<float>(r[3 * k + i] / used);
            }
        }
        set_reach(0);
    }

    void set_reach(float reach) {
        for (unsigned k = 0; k < 3; ++k)
            for (unsigned j = 0; j < 3; ++j)
                slack[k][j] = (margin[k] + moved[k][j] + reach * grown[k]) * std::fabs(inverse[k][j]);
    }
};

/// The products of one cell, [0] of its lower sides and [1] of its upper ones.
struct ClipProducts {
    float plane[2][3][3];    ///< [k][j]: (own side k - offset) / R_kj: as the clipping cell
    float edge[2][3][3][3];  ///< [i][k][j]: R_ki / R_kj times own side i: as the cell whose edges are clipped

    void set_side(unsigned which, unsigned axis, float at, const ClipFrame& as_plane,
                  const ClipFrame& as_edge) {
        for (unsigned j = 0; j < 3; ++j) {
            plane[which][axis][j] = (at - as_plane.offset[axis]) * as_plane.inverse[axis][j];
            for (unsigned k = 0; k < 3; ++k) edge[which][axis][k][j] = at * as_edge.ratio[axis][k][j];
        }
    }
};

/// Whether an edge of X (the cell and its products) meets Y.
inline bool edges_meet(const ClipFrame& f, const CellVolume& x, const ClipProducts& edges,
                       const ClipProducts& planes) {
    for (unsigned j = 0; j < 3; ++j) {
        const unsigned i1 = (j + 1) % 3, i2 = (j + 2) % 3;
        F4 enter = splat(x.lo[j]), leave = splat(x.hi[j]);
        for (unsigned k = 0; k < 3; ++k) {
            const float first[4] = {edges.edge[0][i1][k][j], edges.edge[1][i1][k][j], edges.edge[0][i1][k][j],
                                    edges.edge[1][i1][k][j]};
            const float second[4] = {edges.edge[0][i2][k][j], edges.edge[0][i2][k][j],
                                     edges.edge[1][i2][k][j], edges.edge[1][i2][k][j]};
            const F4 shift = load4(first) + load4(second);
            // Parallel edges enter by the same side.
            const unsigned near = f.inverse[k][j] > 0.0f ? 0u : 1u;
            enter = max(enter, splat(planes.plane[near][k][j] - f.slack[k][j]) - shift);
            leave = min(leave, splat(planes.plane[1 - near][k][j] + f.slack[k][j]) - shift);
        }
        if (bits(enter <= leave)) return true;
    }
    return false;
}

struct alignas(16) ClipLanes {
    CellVolume cell[2];
    ClipProducts products[2];
    CellRange range[2];
    std::uint32_t source;
};

class CellClipping {
  public:
    using Lanes = ClipLanes;
    static constexpr bool kDistances = false;

    /// Precondition: the frame is filled.
    void begin() {
        const PairFrame& frame = frame_;
        double inverse[9], back[3], scale[3];
        float margins_b[3], growth_a[3] = {1, 1, 1}, growth_b[3], stretch_b = 0;
        const float margins_a[3] = {frame.margin, frame.margin, frame.margin};
        for (unsigned k = 0; k < 3; ++k) {
            scale[k] = 0;
            for (unsigned row = 0; row < 3; ++row)
                scale[k] += frame.to_a[3 * row + k] * frame.to_a[3 * row + k];
            back[k] = 0;
            for (unsigned row = 0; row < 3; ++row) {
                // The columns of rotation times scale are orthogonal.
                inverse[3 * k + row] = frame.to_a[3 * row + k] / scale[k];
                back[k] -= inverse[3 * k + row] * frame.shift[row];
            }
            float lanes[4];
            store4(lanes, frame.margin_b4[k]);
            margins_b[k] = lanes[0];
            store4(lanes, frame.scale4[k]);
            growth_b[k] = 1 / lanes[0];
            stretch_b = growth_b[k] > stretch_b ? growth_b[k] : stretch_b;
        }
        // A margin is 48 roundings of the largest coordinate in A's frame, which bounds both parts there.
        const double reach_a = double(frame.margin) * (16777216.0 / 48.0);
        const double reach_b = reach_a * 2 * double(stretch_b);
        into_a_.begin(frame.to_a, frame.shift, margins_a, growth_a, double(frame.max_scale), reach_b);
        into_b_.begin(inverse, back, margins_b, growth_b, double(stretch_b), reach_a);
    }

    void set_reach(float reach) {
        into_a_.set_reach(reach);
        into_b_.set_reach(reach);
    }

    PairFrame& frame() { return frame_; }
    const PairFrame& frame() const { return frame_; }

    template <unsigned kSide>
    void root(const CellVolume& cell, Lanes* out) const {
        for (unsigned k = 0; k < 3; ++k) {
            out->products[0].set_side(0, k, cell.lo[k], clips<kSide>(), clipped<kSide>());
            out->products[0].set_side(1, k, cell.hi[k], clips<kSide>(), clipped<kSide>());
        }
        out->cell[0] = out->cell[1] = cell;
        out->products[1] = out->products[0];
    }

    template <unsigned kSide>
    void children(const CellVolume* cells, const Lanes& from, unsigned lane, Lanes* out) const {
        const unsigned own = child_of(kSide, lane);
        const CellVolume& parent = from.cell[own];
        for (unsigned child = 0; child < 2; ++child) {
            const CellVolume& cell = out->cell[child] = cells[child];
            ClipProducts& products = out->products[child] = from.products[own];
            for (unsigned k = 0; k < 3; ++k) {
                if (cell.lo[k] > parent.lo[k])
                    products.set_side(0, k, cell.lo[k], clips<kSide>(), clipped<kSide>());
                if (cell.hi[k] < parent.hi[k])
                    products.set_side(1, k, cell.hi[k], clips<kSide>(), clipped<kSide>());
            }
        }
    }

    static CellVolume volume(const Lanes& lanes, unsigned side, unsigned lane) {
        return lanes.cell[child_of(side, lane)];
    }

    /// As CellIntervals::test; clipping gives no measure, so pairs come as they are.
    unsigned test(const Lanes& a, const Lanes& b, const CellDescent& d, float, float* gaps) const {
        unsigned hits = 0;
        for (unsigned lane = 0; lane < 4; ++lane) {
            gaps[lane] = 0;
            // Where a side stays, its pairs are those of lane 0.
            if ((!d.down[0] && (lane & 1u)) || (!d.down[1] && (lane & 2u))) continue;
            const unsigned i = child_of(0, d.down[0] ? lane : d.lane[0]);
            const unsigned j = child_of(1, d.down[1] ? lane : d.lane[1]);
            if (a.range[i].empty() || b.range[j].empty()) continue;
            if (edges_meet(into_a_, b.cell[j], b.products[j], a.products[i]) ||
                edges_meet(into_b_, a.cell[i], a.products[i], b.products[j]))
                hits |= 1u << lane;
        }
        return hits;
    }

  private:
    /// The frame in which a side's cells clip, and that in which they are clipped.
    template <unsigned kSide>
    const ClipFrame& clips() const {
        return kSide == 0 ? into_a_ : into_b_;
    }
    template <unsigned kSide>
    const ClipFrame& clipped() const {
        return kSide == 0 ? into_b_ : into_a_;
    }

    PairFrame frame_;
    ClipFrame into_a_;  // B's edges against A's sides
    ClipFrame into_b_;
};

template <Overlap kOverlap>
struct CellTestOf {
    using Type = CellIntervals<kOverlap>;
};
template <>
struct CellTestOf<Overlap::kClip> {
    using Type = CellClipping;
};

}  // namespace espalier
