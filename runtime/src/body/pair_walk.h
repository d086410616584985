// SPDX-License-Identifier: MIT
// Pairs of parts whose boxes are near each other: depth first through the trees of two bodies, or of one
// against itself, the nearest boxes first. Resumable and copyable: the whole state is here, without a pointer
// into itself.
#pragma once

#include "../pair/pair_walk.h"
#include "../pair/query_state.h"
#include "body_pair.h"

namespace espalier {

/// One part against one part is left to their own trees; pairs of larger nodes are opened into pairs of
/// children. A pair of a node with itself opens into ten: each child with itself, and with each other.
constexpr std::uint32_t kMostNodePairs = 4 + kBodyBranch * (kBodyBranch - 1) / 2;

/// Most pairs that wait: on each of the levels of a node with itself nine, and then on each level of either
/// tree three.
constexpr std::uint32_t kMostWaitingPairs =
    (kMostNodePairs - 1) * kMaxBodyLevels + (kBodyBranch - 1) * 2 * kMaxBodyLevels + 2;

/// The weight of the centres' distance, beside the bound, in the order of visits; see aabb/bound.h.
constexpr float kNodeCenterWeight = 0.4F;

class BodyWalk : public BodyPair {
  public:
    /// From the roots, which are not tested. Precondition: `set` or `set_self` was well.
    void start() {
        count_ = 0;
        if (node_count(0) > 0 && node_count(1) > 0)
            waiting_[count_++] = {node_count(0) - 1, node_count(1) - 1, 0};
    }

    /// Goes on to the next pair of parts whose boxes are at most `reach` apart; the caller may lower it from
    /// call to call.
    /// @tparam kByBound the nearest first; else in any order, those that overlap, whatever the reach
    template <bool kByBound>
    WalkEvent next(float reach, const Budget& budget, std::uint64_t most_tests, Counters* counters) {
        while (count_ > 0) {
            if (counters->node_tests >= most_tests || (budget.expired && budget.expired(budget.user)))
                return WalkEvent::kBudgetSpent;
            const Waiting pair = waiting_[--count_];
            if (pair.bound > reach) continue;
            const BodyNode &a = node(0, pair.a), &b = node(1, pair.b);
            if (a.count > 0 || b.count > 0)
                expand<kByBound>(pair, reach, counters);
            else if (take_parts(a.first, b.first))
                return WalkEvent::kLeafPair;
        }
        return WalkEvent::kExhausted;
    }

    /// Least bound of what waits; infinite when there is nothing.
    double open_bound() const {
        float least = __builtin_huge_valf();
        for (std::uint32_t i = 0; i < count_; ++i)
            if (waiting_[i].bound < least) least = waiting_[i].bound;
        return double(least);
    }

  private:
    /// Two nodes that may be as near as their bound.
    struct Waiting {
        std::uint32_t a, b;
        float bound;
    };

    /// A function of its own, so that its frame is off the stack when the query of a pair runs.
    template <bool kByBound>
    __attribute__((noinline)) void expand(const Waiting& pair, float reach, Counters* counters) {
        float keys[kMostNodePairs];
        const std::uint32_t bottom = count_;
        counters->node_tests += open(
            pair.a, pair.b,
            [&](std::uint32_t a, std::uint32_t b, const NodeBox& box_a, const NodeBox& box_b) {
                if (!kByBound) {
                    if (overlap(box_a, box_b)) push<kByBound>({a, b, 0}, box_a, box_b, bottom, keys);
                    return;
                }
                const float bound = gap(box_a, box_b);
                if (bound <= reach) push<kByBound>({a, b, bound}, box_a, box_b, bottom, keys);
            },
            [&](std::uint32_t node) {
                // Above the rest: parts of one child are often nearer to each other.
                ESPALIER_ASSERT(count_ < kMostWaitingPairs);
                waiting_[count_++] = {node, node, 0};
            });
    }

    /// Puts a pair of nodes on the pile: above `bottom`, nearest last.
    template <bool kByBound>
    void push(const Waiting& pair, const NodeBox& box_a, const NodeBox& box_b, std::uint32_t bottom,
              float* keys) {
        ESPALIER_ASSERT(count_ < kMostWaitingPairs);
        std::uint32_t slot = count_++;
        if (kByBound) {
            float d[4];
            store4(d, (box_a.lo + box_a.hi) - (box_b.lo + box_b.hi));
            const float apart = 0.5F * std::sqrt((d[0] * d[0] + d[1] * d[1]) + d[2] * d[2]);
            const float key = pair.bound * (1.0F - kNodeCenterWeight) + apart * kNodeCenterWeight;
            for (; slot > bottom && keys[slot - 1 - bottom] < key; --slot) {
                keys[slot - bottom] = keys[slot - 1 - bottom];
                waiting_[slot] = waiting_[slot - 1];
            }
            keys[slot - bottom] = key;
        }
        waiting_[slot] = pair;
    }

    std::uint32_t count_;
    Waiting waiting_[kMostWaitingPairs];
};

}  // namespace espalier
