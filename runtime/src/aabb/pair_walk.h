// SPDX-License-Identifier: MIT
// Simultaneous descent of two aabb trees to their overlapping leaf pairs (van den Bergen 1998, section 3):
// the larger volume is replaced by its four children, all tested at once against the other. Resumable: the
// whole state is here, bounded by the depths of the two trees.
#pragma once

#include "path.h"

namespace espalier {

/// Where a walk stands after `next`.
enum class WalkEvent { kLeafPair, kExhausted, kBudgetSpent };

class AabbPairWalk {
  public:
    void begin(const AabbTreeView& a, const AabbTreeView& b, const PairFrame& frame) {
        frame_ = frame;
        nodes_[0] = a.nodes;
        nodes_[1] = b.nodes;
        end_[0] = place_root<0>(a, frame_, &root_[0]);
        end_[1] = place_root<1>(b, frame_, &root_[1]);
        visit_count_ = 0;
        entered_ = true;
    }

    const PairFrame& frame() const { return frame_; }
    const PathEnd& a() const { return end_[0]; }
    const PathEnd& b() const { return end_[1]; }

    /// Goes on to the next pair of overlapping leaves; stops before a visit once `counters->node_tests` has
    /// reached `limit` or the budget's clock has expired.
    template <Overlap kOverlap>
    WalkEvent next(const Budget& budget, std::uint64_t limit, Counters* counters) {
        for (;;) {
            if (!entered_ && !enter_next_child()) return WalkEvent::kExhausted;
            entered_ = true;
            if (counters->node_tests >= limit || (budget.expired && budget.expired(budget.user)))
                return WalkEvent::kBudgetSpent;
            entered_ = false;
            if (a().leaf() && b().leaf()) return WalkEvent::kLeafPair;
            descend<kOverlap>(counters);
        }
    }

  private:
    /// Replaces the larger of the two volumes by its children that may meet the other, nearest first: a
    /// contact, if there is one, is found sooner.
    template <Overlap kOverlap>
    void descend(Counters* counters) {
        const PathEnd &a = end_[0], &b = end_[1];
        const unsigned side = side_to_open(a, b);
        const AabbNode& node = nodes_[side][end_[side].first];
        PairVisit& visit = visits_[visit_count_];
        float distance2[4];
        const unsigned hits = side == 0
                                  ? overlap_children<kOverlap, 0>(node, *a.lanes, a.lane, *b.lanes, b.lane,
                                                                  frame_, &visit.lanes, distance2)
                                  : overlap_children<kOverlap, 1>(node, *b.lanes, b.lane, *a.lanes, a.lane,
                                                                  frame_, &visit.lanes, distance2);
        counters->node_tests += count_bits(present_children(node));
        if (!hits) return;
        visit.node = &node;
        visit.parent = end_[side];
        visit.side = static_cast<std::uint8_t>(side);
        visit.set_order(hits, distance2);
        ++visit_count_;
    }

    /// Backtracks to the innermost visit with a child left and puts that child at the path's end.
    bool enter_next_child() {
        while (visit_count_ > 0) {
            PairVisit& visit = visits_[visit_count_ - 1];
            if (visit.remaining == 0) {
                end_[visit.side] = visit.parent;
                --visit_count_;
                continue;
            }
            end_[visit.side] = visit.child(visit.take_next());
            return true;
        }
        return false;
    }

    PairFrame frame_;
    const AabbNode* nodes_[2];
    PathEnd end_[2];
    std::uint32_t visit_count_;
    bool entered_;  // the pair at the path's ends was not handled yet
    VolumeLanes root_[2];
    PairVisit visits_[2 * kMaxAabbDepth];
};

}  // namespace espalier
