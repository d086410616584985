// SPDX-License-Identifier: MIT
// Simultaneous traversal of two cell trees (Zachmann 1997, "Simultaneous recursive traversal of BoxTrees"):
// both cells of a pair are replaced by their children, or one when the other is a leaf; pairs with an empty
// cell end at once, and cells beside empty ones are passed through. Resumable: the whole state is here,
// bounded by the depths of the trees.
#pragma once

#include "lanes.h"

namespace espalier {

/// `Test` decides which pairs of children are kept: CellIntervals, CellClipping, or a bound of distances.
template <class Test>
class CellPairWalk {
  public:
    using Lanes = typename Test::Lanes;

    /// Precondition: both parts have cell trees.
    void begin(const CellTreeView& a, const CellTreeView& b, const PairFrame& frame, float reach) {
        test_.begin(frame);
        nodes_[0] = a.nodes;
        nodes_[1] = b.nodes;
        delta_[0] = a.delta;
        delta_[1] = b.delta;
        for (Lanes(&path)[kMaxCellDepth + 1] : path_)
            for (Lanes& lanes : path) lanes.source = kNowhere;
        root<0>(a);
        root<1>(b);
        for (unsigned side = 0; side < 2; ++side) depth_[side] = lane_[side] = 0;
        visit_count_ = 0;
        gap_ = 0;
        entered_ = true;
        set_reach(reach);
    }

    /// Pairs farther apart than this do not come up any more.
    void narrow_reach(float reach) {
        if (reach < reach_) set_reach(reach);
    }

    Test& test() { return test_; }
    const PairFrame& frame() const { return test_.frame(); }
    const CellRange& range(unsigned side) const { return lanes(side).range[child_of(side, lane_[side])]; }
    template <unsigned kSide>
    CellVolume volume() const {
        return Test::template volume<kSide>(lanes(kSide), lane_[kSide]);
    }

    /// Goes on to the next pair of leaves; stops before a visit once `counters->node_tests` has reached
    /// `limit` or the budget's clock has expired.
    CellEvent next(const Budget& budget, std::uint64_t limit, Counters* counters) {
        for (;;) {
            if (!entered_ && !enter_next_pair()) return CellEvent::kExhausted;
            entered_ = true;
            if (counters->node_tests >= limit || (budget.expired && budget.expired(budget.user)))
                return CellEvent::kBudgetSpent;
            entered_ = false;
            if (range(0).leaf() && range(1).leaf()) return CellEvent::kLeafPair;
            descend(counters);
        }
    }

    /// Least gap among everything not yet looked at; huge when there is nothing.
    float open_gap() const {
        float least = entered_ ? gap_ : 3.0e38f;
        for (std::uint32_t i = 0; i < visit_count_; ++i) {
            const Visit& v = visits_[i];
            if (v.remaining > 0 && v.gap[v.remaining - 1] < least) least = v.gap[v.remaining - 1];
        }
        return least;
    }

  private:
    static constexpr std::uint32_t kNowhere = ~0u;

    /// Pairs of lanes still to visit, next one last, farthest first.
    struct Visit {
        float gap[4];
        std::uint8_t pair[4];
        std::uint8_t remaining;
        std::uint8_t depth[2];  ///< of the pairs' lanes
        std::uint8_t lane[2];   ///< of the side that was not descended
        bool down[2];
    };

    void set_reach(float reach) {
        reach_ = reach;
        test_.set_reach(reach);
    }

    const Lanes& lanes(unsigned side) const { return path_[side][depth_[side]]; }

    template <unsigned kSide>
    void root(const CellTreeView& tree) {
        Lanes& lanes = path_[kSide][0];
        CellRange range = {0, tree.unit_count};
        CellVolume cell = root_cell(tree);
        skip_chipped(tree.nodes, tree.delta, &range, &cell);
        test_.template root<kSide>(cell, &lanes);
        lanes.range[0] = lanes.range[1] = range;
    }

    /// Fills the next level of a side with the children of its current cell, unless it holds them already.
    template <unsigned kSide>
    void open_children() {
        const CellRange parent = range(kSide);
        Lanes& out = path_[kSide][depth_[kSide] + 1];
        if (out.source == parent.node) return;
        out.source = parent.node;
        CellVolume cells[2] = {volume<kSide>(), volume<kSide>()};
        for (unsigned child = 0; child < 2; ++child) {
            out.range[child] = cell_child(nodes_[kSide], parent, child);
            cut_cell(nodes_[kSide][parent.node], delta_[kSide], child, &cells[child]);
            if (!out.range[child].empty())
                skip_chipped(nodes_[kSide], delta_[kSide], &out.range[child], &cells[child]);
        }
        test_.template children<kSide>(cells, lanes(kSide), lane_[kSide], &out);
    }

    unsigned present(unsigned side, const Lanes& children, bool down) const {
        // Where a side stays, its pairs are those of lane 0.
        return down ? present_lanes(side, !children.range[0].empty(), !children.range[1].empty())
                    : present_lanes(side, true, false);
    }

    void descend(Counters* counters) {
        CellDescent d;
        for (unsigned side = 0; side < 2; ++side) {
            d.down[side] = !range(side).leaf();
            d.lane[side] = lane_[side];
        }
        if (d.down[0]) open_children<0>();
        if (d.down[1]) open_children<1>();
        Visit& visit = visits_[visit_count_];
        visit.remaining = 0;
        for (unsigned side = 0; side < 2; ++side) {
            visit.depth[side] = static_cast<std::uint8_t>(depth_[side] + d.down[side]);
            visit.lane[side] = static_cast<std::uint8_t>(lane_[side]);
            visit.down[side] = d.down[side];
        }
        const Lanes& a = path_[0][visit.depth[0]];
        const Lanes& b = path_[1][visit.depth[1]];
        const unsigned tested = present(0, a, d.down[0]) & present(1, b, d.down[1]);
        for (unsigned rest = tested; rest; rest &= rest - 1) ++counters->node_tests;
        float gap[4];
        unsigned hits = test_.test(a, b, d, reach_, gap) & tested;
        for (unsigned lane = 0; hits; ++lane, hits >>= 1)
            if (hits & 1u) insert(lane, gap[lane], &visit);
        if (visit.remaining) ++visit_count_;
    }

    static void insert(unsigned lane, float gap, Visit* visit) {
        unsigned slot = visit->remaining++;
        for (; slot > 0 && visit->gap[slot - 1] < gap; --slot) {
            visit->gap[slot] = visit->gap[slot - 1];
            visit->pair[slot] = visit->pair[slot - 1];
        }
        visit->gap[slot] = gap;
        visit->pair[slot] = static_cast<std::uint8_t>(lane);
    }

    /// Backtracks to the innermost visit with a pair left and goes there.
    bool enter_next_pair() {
        while (visit_count_ > 0) {
            Visit& visit = visits_[visit_count_ - 1];
            // The last is the nearest: when it is too far, so are the others.
            if (visit.remaining == 0 || visit.gap[visit.remaining - 1] > reach_) {
                --visit_count_;
                continue;
            }
            --visit.remaining;
            const unsigned lane = visit.pair[visit.remaining];
            gap_ = visit.gap[visit.remaining];
            for (unsigned side = 0; side < 2; ++side) {
                depth_[side] = visit.depth[side];
                lane_[side] = visit.down[side] ? lane : visit.lane[side];
            }
            return true;
        }
        return false;
    }

    Test test_;
    const CellNode* nodes_[2];
    float delta_[2];
    std::uint32_t visit_count_;
    std::uint32_t depth_[2];
    std::uint32_t lane_[2];
    float reach_;
    float gap_;     // of the current pair
    bool entered_;  // the current pair was not handled yet
    // A visit descends at least one side, and both unless one is a leaf: no more than the deeper tree has
    // cuts.
    Visit visits_[kMaxCellDepth];
    Lanes path_[2][kMaxCellDepth + 1];
};

}  // namespace espalier
