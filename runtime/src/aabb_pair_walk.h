// SPDX-License-Identifier: MIT
// Simultaneous descent of two aabb trees to their overlapping leaf pairs (van den Bergen 1998, section 3):
// the larger volume is replaced by its four children, all tested at once against the other. Resumable: the
// whole state is here, bounded by the depths of the two trees.
#pragma once

#include "aabb_overlap.h"

namespace espalier {

/// Where a walk stands after `next`.
enum class WalkEvent { kLeafPair, kExhausted, kBudgetSpent };

/// The end of the path on one side: a node, or a leaf's range of triangles.
struct PathEnd {
    const VolumeLanes* lanes;
    unsigned lane;
    std::uint32_t first;  ///< inner: node index; leaf: first leaf position
    std::uint32_t kind;   ///< kChildInner or the leaf's triangle count

    bool leaf() const { return kind != kChildInner; }
};

class AabbPairWalk {
  public:
    void begin(const AabbTreeView& a, const AabbTreeView& b, const PairFrame& frame) {
        frame_ = frame;
        nodes_[0] = a.nodes;
        nodes_[1] = b.nodes;
        set_root<0>(a);
        set_root<1>(b);
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
    /// A replaced volume: its children, those still to visit (two bits each, next one lowest) and what it
    /// replaced.
    struct Visit {
        VolumeLanes lanes;
        const AabbNode* node;
        PathEnd parent;
        std::uint8_t side;
        std::uint8_t remaining;
        std::uint8_t order;
    };

    template <int kSide>
    void set_root(const AabbTreeView& tree) {
        const Volume v = root_volume(tree);
        Volumes4 four;
        four.lo = splat3(v.lo);
        four.hi = splat3(v.hi);
        const V4 center = {(four.lo.x + four.hi.x) * 0.5f, (four.lo.y + four.hi.y) * 0.5f,
                           (four.lo.z + four.hi.z) * 0.5f};
        four.half = {(four.hi.x - four.lo.x) * 0.5f, (four.hi.y - four.lo.y) * 0.5f,
                     (four.hi.z - four.lo.z) * 0.5f};
        place_centers<kSide>(center, frame_, &four);
        four.normal = splat3(v.normal);
        four.slab_lo = splat(v.slab_lo);
        four.slab_hi = splat(v.slab_hi);
        four.radius = splat(v.radius);
        if constexpr (kSide == 1) turn_slabs(frame_, &four);
        store_lanes(four, frame_, kSide, &root_[kSide]);
        end_[kSide] = PathEnd{&root_[kSide], 0, 0, kChildInner};
    }

    /// Replaces the larger of the two volumes by its children that may meet the other.
    template <Overlap kOverlap>
    void descend(Counters* counters) {
        const PathEnd &a = end_[0], &b = end_[1];
        const bool open_a = b.leaf() || (!a.leaf() && a.lanes->size[a.lane] >= b.lanes->size[b.lane]);
        const unsigned side = open_a ? 0 : 1;
        const AabbNode& node = nodes_[side][end_[side].first];
        Visit& visit = visits_[visit_count_];
        float distance2[4];
        const unsigned hits = open_a ? overlap_children<kOverlap, 0>(node, *a.lanes, a.lane, *b.lanes, b.lane,
                                                                     frame_, &visit.lanes, distance2)
                                     : overlap_children<kOverlap, 1>(node, *b.lanes, b.lane, *a.lanes, a.lane,
                                                                     frame_, &visit.lanes, distance2);
        counters->node_tests += count_bits(present_children(node));
        if (!hits) return;
        visit.node = &node;
        visit.parent = end_[side];
        visit.side = static_cast<std::uint8_t>(side);
        order_children(hits, distance2, &visit);
        ++visit_count_;
    }

    static unsigned count_bits(unsigned four) { return (0x4332322132212110u >> (4 * four)) & 7u; }

    /// Nearest first: a contact, if there is one, is found sooner.
    static void order_children(unsigned hits, const float* distance2, Visit* visit) {
        unsigned order[4];
        unsigned count = 0;
        for (unsigned lane = 0; lane < 4; ++lane) {
            if (!(hits >> lane & 1u)) continue;
            unsigned slot = count++;
            for (; slot > 0 && distance2[order[slot - 1]] > distance2[lane]; --slot)
                order[slot] = order[slot - 1];
            order[slot] = lane;
        }
        unsigned packed = 0;
        for (unsigned slot = 0; slot < count; ++slot) packed |= order[slot] << (2 * slot);
        visit->order = static_cast<std::uint8_t>(packed);
        visit->remaining = static_cast<std::uint8_t>(count);
    }

    /// Backtracks to the innermost visit with a child left and puts that child at the path's end.
    bool enter_next_child() {
        while (visit_count_ > 0) {
            Visit& visit = visits_[visit_count_ - 1];
            if (visit.remaining == 0) {
                end_[visit.side] = visit.parent;
                --visit_count_;
                continue;
            }
            const unsigned lane = visit.order & 3u;
            visit.order = static_cast<std::uint8_t>(visit.order >> 2);
            --visit.remaining;
            end_[visit.side] = child_end(visit, lane);
            return true;
        }
        return false;
    }

    /// Siblings lie together, so a child's place follows from the kinds of those before it.
    static PathEnd child_end(const Visit& visit, unsigned lane) {
        const AabbNode& node = *visit.node;
        PathEnd end{&visit.lanes, lane, 0, node.kind[lane]};
        std::uint32_t inner = 0, triangles = 0;
        for (unsigned i = 0; i < lane; ++i) {
            if (node.kind[i] == kChildInner)
                ++inner;
            else
                triangles += node.kind[i];
        }
        end.first = end.leaf() ? node.first_triangle + triangles : node.first_child + inner;
        return end;
    }

    PairFrame frame_;
    const AabbNode* nodes_[2];
    PathEnd end_[2];
    std::uint32_t visit_count_;
    bool entered_;  // the pair at the path's ends was not handled yet
    VolumeLanes root_[2];
    Visit visits_[2 * kMaxDepth];
};

}  // namespace espalier
