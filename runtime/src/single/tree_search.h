// SPDX-License-Identifier: MIT
// Depth-first search of one tree, child with the least bound first. What is sought says how boxes are bounded
// and what to do with a leaf; a tree's codec opens a node. Resumable and copyable: the whole state is here,
// bounded by the tree's depth, without a pointer into itself.
//
// A codec has
//   Place, Children                      where a node or leaf is; what it takes to find those of a level
//   kMaxLevels                           most levels of a path, the root's included
//   kRootTest                            the root's box is tested, and counted, at the beginning
//   kHigherFirst                         of equal bounds the higher lane comes first
//   begin(part)
//   tree()                               with the root's box
//   root_children(), or root_place()     with or without kRootTest
//   place(children, lane), leaf(place)
//   expand(place, lo, hi, lane, children, lo4, hi4)   boxes of a node's children; returns those present
//   triangles(place, &first, &count)     leaf positions of a leaf
#pragma once

#include "../base/assert.h"
#include "../base/bits.h"
#include "../base/simd.h"
#include "../pair/query_state.h"
#include "../pair/tree_codecs.h"
#include "../pair/visits.h"
#include "espalier/asset.h"

namespace espalier {

template <class Codec>
class TreeSearch {
  public:
    const Codec& codec() const { return codec_; }

    /// Precondition: the part has the tree.
    void set_part(const ShapeView& part) {
        ESPALIER_ASSERT(Codec::present(part));
        codec_.begin(part);
    }

    /// Goes to the root. For `Goal` see `run`.
    template <class Goal>
    void begin([[maybe_unused]] const Goal& goal, [[maybe_unused]] Counters* counters) {
        const auto& tree = codec_.tree();
        level_count_ = 0;
        entered_ = false;
        if constexpr (Codec::kRootTest) {
            const V4 l = splat3(tree.lo), h = splat3(tree.hi);
            const F4 lo[3] = {l.x, l.y, l.z}, hi[3] = {h.x, h.y, h.z};
            levels_[0].children = codec_.root_children();
            push(goal, lo, hi, 1u, counters);
        } else {
            for (unsigned k = 0; k < 3; ++k) {
                levels_[0].lo[k][0] = tree.lo[k];
                levels_[0].hi[k][0] = tree.hi[k];
            }
            levels_[0].remaining = 0;
            level_count_ = 1;
            lane_ = 0;
            place_ = codec_.root_place();
            entered_ = true;
        }
    }

    /// Goes on until all is searched (true) or the budget is spent (false). `Goal` has
    ///   F4 bounds(const F4* lo, const F4* hi) const   lower bounds of what four boxes can offer
    ///   float useful() const                          bounds above this do not matter
    ///   bool leaf(first, count, Counters*)            looks at a leaf's triangles; true ends the search
    template <class Goal>
    bool run(Goal* goal, const Budget& budget, Counters* counters) {
        const std::uint64_t most_tests = budget_limit(budget, *counters);
        for (;;) {
            if (!entered_ && !enter_next(goal->useful())) return true;
            entered_ = true;
            if (counters->node_tests >= most_tests || (budget.expired && budget.expired(budget.user)))
                return false;
            entered_ = false;
            if (Codec::leaf(place_)) {
                ++counters->leaf_pairs;
                std::uint32_t first, count;
                codec_.triangles(place_, &first, &count);
                if (goal->leaf(first, count, counters)) return true;
            } else {
                ESPALIER_ASSERT(level_count_ > 0 && level_count_ < Codec::kMaxLevels);
                const Level& level = levels_[level_count_ - 1];
                F4 lo[3], hi[3];
                const unsigned present =
                    codec_.expand(place_, level.lo, level.hi, lane_, &levels_[level_count_].children, lo, hi);
                push(*goal, lo, hi, present, counters);
            }
        }
    }

  private:
    /// Four boxes of the path, and those of them still to visit.
    struct alignas(16) Level {
        float lo[3][4], hi[3][4];
        float bounds[4];
        typename Codec::Children children;
        std::uint8_t remaining, order;
    };

    /// Puts four boxes on the path if one of them matters; their children are there already.
    template <class Goal>
    void push(const Goal& goal, const F4* lo, const F4* hi, unsigned present, Counters* counters) {
        counters->node_tests += count_bits(present);
        const F4 bounds = goal.bounds(lo, hi);
        const unsigned open = bits(bounds <= splat(goal.useful())) & present;
        if (!open) return;
        ESPALIER_ASSERT(level_count_ < Codec::kMaxLevels);
        Level& level = levels_[level_count_++];
        for (unsigned k = 0; k < 3; ++k) {
            store4(level.lo[k], lo[k]);
            store4(level.hi[k], hi[k]);
        }
        store4(level.bounds, bounds);
        order_lanes<Codec::kHigherFirst>(open, level.bounds, &level.order, &level.remaining);
    }

    bool enter_next(float useful) {
        while (level_count_ > 0) {
            Level& level = levels_[level_count_ - 1];
            // The first is the nearest: when it is too far, so are the others.
            if (level.remaining == 0 || level.bounds[level.order & 3u] > useful) {
                --level_count_;
                continue;
            }
            lane_ = take_lane(&level.order, &level.remaining);
            place_ = codec_.place(level.children, lane_);
            return true;
        }
        return false;
    }

    Codec codec_;
    std::uint32_t level_count_;
    std::uint32_t lane_;           // of what is entered, in the last level
    typename Codec::Place place_;  // where it is
    bool entered_;                 // it was not handled yet
    Level levels_[Codec::kMaxLevels];
};

}  // namespace espalier
