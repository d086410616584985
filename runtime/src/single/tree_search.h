// SPDX-License-Identifier: MIT
// Depth-first search of one aabb tree, child with the least bound first. What is sought says how children are
// bounded and what to do with a leaf. Resumable: the whole state is here, bounded by the tree's depth.
#pragma once

#include "../aabb/path.h"
#include "../pair/query_state.h"

namespace espalier {

class AabbSearch {
  public:
    void begin(const AabbTreeView& tree) {
        nodes_ = tree.nodes;
        depth_ = 0;
        first_ = 0;
        kind_ = kChildInner;
        entered_ = true;
        const Volume root = root_volume(tree);
        for (int k = 0; k < 3; ++k) {
            lo_[k] = root.lo[k];
            hi_[k] = root.hi[k];
        }
    }

    /// Goes on until all is searched (true) or the budget is spent (false). `Goal` has
    ///   F4 bounds(const V4& lo, const V4& hi) const   lower bounds of what four boxes can offer
    ///   float useful() const                          bounds above this do not matter
    ///   bool leaf(first, count, Counters*)            looks at a leaf's triangles; true ends the search
    template <class Goal>
    bool run(Goal* goal, const Budget& budget, Counters* counters) {
        const std::uint64_t limit = budget_limit(budget, *counters);
        for (;;) {
            if (!entered_ && !enter_next(goal->useful())) return true;
            entered_ = true;
            if (counters->node_tests >= limit || (budget.expired && budget.expired(budget.user)))
                return false;
            entered_ = false;
            if (kind_ == kChildInner) {
                open_node(*goal, counters);
            } else {
                ++counters->leaf_pairs;
                if (goal->leaf(first_, kind_, counters)) return true;
            }
        }
    }

  private:
    struct Level {
        float lo[3][4], hi[3][4];
        float bounds[4];
        const AabbNode* node;
        std::uint8_t remaining, order;
    };

    template <class Goal>
    void open_node(const Goal& goal, Counters* counters) {
        const AabbNode& node = nodes_[first_];
        V4 lo, hi;
        decode_boxes(node, splat3(lo_), splat3(hi_), &lo, &hi);
        const unsigned present = present_children(node);
        counters->node_tests += count_bits(present);
        const F4 bounds = goal.bounds(lo, hi);
        const unsigned open = bits(bounds <= splat(goal.useful())) & present;
        if (!open) return;
        Level& level = levels_[depth_++];
        store12(level.lo, lo);
        store12(level.hi, hi);
        store4(level.bounds, bounds);
        level.node = &node;
        order_lanes(open, level.bounds, &level.order, &level.remaining);
    }

    bool enter_next(float useful) {
        while (depth_ > 0) {
            Level& level = levels_[depth_ - 1];
            if (level.remaining == 0) {
                --depth_;
                continue;
            }
            const unsigned lane = take_lane(&level.order, &level.remaining);
            if (level.bounds[lane] > useful) continue;
            const ChildPlace place = place_of_child(*level.node, lane);
            first_ = place.first;
            kind_ = place.kind;
            for (int k = 0; k < 3; ++k) {
                lo_[k] = level.lo[k][lane];
                hi_[k] = level.hi[k][lane];
            }
            return true;
        }
        return false;
    }

    const AabbNode* nodes_;
    std::uint32_t depth_;
    std::uint32_t first_, kind_;  // what is entered: an inner node or a leaf
    float lo_[3], hi_[3];         // and its box
    bool entered_;                // it was not handled yet
    Level levels_[kMaxAabbDepth];
};

}  // namespace espalier
