// SPDX-License-Identifier: MIT
// Simultaneous descent of two box trees to their overlapping leaf pairs (Zachmann 2002, section 3.3): both
// boxes of a pair are replaced by their grandchildren and the sixteen pairs tested, or only the larger box's
// by its four when the sizes differ much. Resumable: the whole state is here, bounded by the depths of the
// trees.
#pragma once

#include "lanes.h"

namespace espalier {

/// Where a walk stands after `next`.
enum class BoxEvent { kLeafPair, kExhausted, kBudgetSpent };

/// Lanes of a tree's path: the root, and one entry for two levels of the tree.
constexpr std::uint32_t kBoxLevels = kMaxBoxDepth / 2 + 1;
static_assert(kMaxBoxDepth % 2 == 0, "a path's last lanes would be left out");

/// Both boxes are replaced unless one has more than this times the other's squared diagonal.
constexpr float kSimilarSize = 4.0f;

/// Gaps of the four boxes of `four` to one box: the largest over the first `kAxes` axes. Not positive: may
/// meet.
template <unsigned kAxes, BoxOverlap kOverlap>
inline F4 box_gaps(const BoxLanes<kOverlap>& four, const BoxLanes<kOverlap>& one, unsigned lane,
                   unsigned first_axis) {
    F4 gap = splat(-3.0e38f);
    for (unsigned k = first_axis; k < first_axis + kAxes; ++k) {
        const F4 below = load4(four.lo[k]) - splat(one.hi[k][lane]);
        const F4 above = splat(one.lo[k][lane]) - load4(four.hi[k]);
        gap = max(gap, max(below, above));
    }
    return gap;
}

/// Bits of the lanes of `four` that may meet the box in `lane` of `one`; `gaps` receives the measure by which
/// pairs are ordered.
template <BoxOverlap kOverlap>
inline unsigned overlap_lanes(const BoxLanes<kOverlap>& four, const BoxLanes<kOverlap>& one, unsigned lane,
                              float* gaps) {
    constexpr bool kBothFrames = kOverlap == BoxOverlap::kSat || kOverlap == BoxOverlap::kSatLite;
    const F4 zero = splat(0.0f);
    const F4 gap = box_gaps < kBothFrames ? 6 : 3 > (four, one, lane, 0);
    store4(gaps, gap);
    unsigned hits = bits(gap <= zero) & four.present;
    if constexpr (kOverlap == BoxOverlap::kSat)
        if (hits) hits &= bits(box_gaps<9>(four, one, lane, 6) <= zero);
    return hits;
}

/// Which boxes of a pair are replaced; at least one. Precondition: not both are leaves.
struct BoxDescent {
    bool a, b;
};

template <BoxOverlap kOverlap>
inline BoxDescent box_descent(const BoxLanes<kOverlap>& a, unsigned lane_a, const BoxLanes<kOverlap>& b,
                              unsigned lane_b) {
    const bool leaf_a = a.leaf(lane_a), leaf_b = b.leaf(lane_b);
    const float size_a = a.size[lane_a], size_b = b.size[lane_b];
    BoxDescent down;
    down.a = !leaf_a && (leaf_b || size_a * kSimilarSize >= size_b);
    down.b = !leaf_b && (!down.a || size_b * kSimilarSize >= size_a);
    return down;
}

inline unsigned bit_count(unsigned bits) {
    unsigned count = 0;
    for (; bits; bits &= bits - 1) ++count;
    return count;
}

template <BoxOverlap kOverlap>
class BoxPairWalk {
  public:
    using Lanes = BoxLanes<kOverlap>;

    void begin(const BoxTreeView& a, const BoxTreeView& b, const PairFrame& frame) {
        projector_.begin(frame, b);
        nodes_[0] = a.nodes;
        nodes_[1] = b.nodes;
        for (Lanes(&path)[kBoxLevels] : path_)
            for (Lanes& lanes : path) lanes.source = ~0u;
        root_lanes(projector_, a, 0, &path_[0][0]);
        root_lanes(projector_, b, 1, &path_[1][0]);
        for (unsigned side = 0; side < 2; ++side) depth_[side] = lane_[side] = 0;
        visit_count_ = 0;
        entered_ = true;
    }

    const PairFrame& frame() const { return projector_.frame; }
    const Lanes& lanes(unsigned side) const { return path_[side][depth_[side]]; }
    unsigned lane(unsigned side) const { return lane_[side]; }

    /// Goes on to the next pair of overlapping leaves; stops before a visit once `counters->node_tests` has
    /// reached `limit` or the budget's clock has expired. `kOrdered`: deepest overlaps first.
    template <bool kOrdered>
    BoxEvent next(const Budget& budget, std::uint64_t limit, Counters* counters) {
        for (;;) {
            if (!entered_ && !enter_next_pair()) return BoxEvent::kExhausted;
            entered_ = true;
            if (counters->node_tests >= limit || (budget.expired && budget.expired(budget.user)))
                return BoxEvent::kBudgetSpent;
            entered_ = false;
            if (lanes(0).leaf(lane_[0]) && lanes(1).leaf(lane_[1])) return BoxEvent::kLeafPair;
            descend<kOrdered>(counters);
        }
    }

  private:
    /// Pairs of lanes still to visit, next one last; which sides were descended, and from where.
    struct Visit {
        std::uint8_t pair[16];  ///< lane of A | lane of B << 2
        std::uint8_t remaining;
        std::uint8_t depth[2];  ///< of the pairs' lanes
    };

    template <bool kOrdered>
    void descend(Counters* counters) {
        const BoxDescent down = box_descent(lanes(0), lane_[0], lanes(1), lane_[1]);
        if (down.a) grandchildren<0>(projector_, nodes_[0], lanes(0), lane_[0], &path_[0][depth_[0] + 1]);
        if (down.b) grandchildren<1>(projector_, nodes_[1], lanes(1), lane_[1], &path_[1][depth_[1] + 1]);
        Visit& visit = visits_[visit_count_];
        visit.remaining = 0;
        visit.depth[0] = static_cast<std::uint8_t>(depth_[0] + down.a);
        visit.depth[1] = static_cast<std::uint8_t>(depth_[1] + down.b);
        const Lanes& a = path_[0][visit.depth[0]];
        const Lanes& b = path_[1][visit.depth[1]];
        float gap[16];
        if (!down.a) {
            counters->node_tests += bit_count(b.present);
            add_pairs<kOrdered>(overlap_lanes(b, a, lane_[0], gap), 2, lane_[0], gap, &visit);
        } else if (!down.b) {
            counters->node_tests += bit_count(a.present);
            add_pairs<kOrdered>(overlap_lanes(a, b, lane_[1], gap), 0, lane_[1] << 2, gap, &visit);
        } else {
            counters->node_tests += bit_count(a.present) * bit_count(b.present);
            for (unsigned lane = 0; lane < 4; ++lane)
                if (b.present >> lane & 1u)
                    add_pairs<kOrdered>(overlap_lanes(a, b, lane, gap), 0, lane << 2, gap, &visit);
        }
        if (visit.remaining) ++visit_count_;
    }

    /// Inserts hit lanes; `shift` places the lane in the pair's code beside `other`.
    template <bool kOrdered>
    void add_pairs(unsigned hits, unsigned shift, unsigned other, const float* gap, Visit* visit) {
        for (unsigned lane = 0; lane < 4; ++lane) {
            if (!(hits >> lane & 1u)) continue;
            unsigned slot = visit->remaining++;
            if constexpr (kOrdered) {
                for (; slot > 0 && key_[slot - 1] < gap[lane]; --slot) {
                    key_[slot] = key_[slot - 1];
                    visit->pair[slot] = visit->pair[slot - 1];
                }
                key_[slot] = gap[lane];
            }
            visit->pair[slot] = static_cast<std::uint8_t>(other | lane << shift);
        }
    }

    /// Backtracks to the innermost visit with a pair left and goes there.
    bool enter_next_pair() {
        while (visit_count_ > 0) {
            Visit& visit = visits_[visit_count_ - 1];
            if (visit.remaining == 0) {
                --visit_count_;
                continue;
            }
            const unsigned pair = visit.pair[--visit.remaining];
            for (unsigned side = 0; side < 2; ++side) depth_[side] = visit.depth[side];
            lane_[0] = pair & 3u;
            lane_[1] = pair >> 2;
            return true;
        }
        return false;
    }

    BoxProjector<kOverlap> projector_;
    const BoxNode* nodes_[2];
    std::uint32_t visit_count_;
    std::uint32_t depth_[2];
    std::uint32_t lane_[2];
    bool entered_;  // the current pair was not handled yet
    float key_[16];
    Visit visits_[kMaxBoxDepth];
    Lanes path_[2][kBoxLevels];
};

}  // namespace espalier
