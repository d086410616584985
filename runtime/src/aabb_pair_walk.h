// SPDX-License-Identifier: MIT
// Simultaneous descent of two aabb trees to their overlapping leaf pairs (van den Bergen 1998, section 3):
// the larger volume is replaced by its four children, all tested at once against the other. Resumable: the
// whole state is here, bounded by the depths of the two trees.
#pragma once

#include "aabb_overlap.h"

namespace espalier {

/// Where a walk stands after `next`.
enum class WalkEvent { kLeafPair, kExhausted, kBudgetSpent };

/// A node, or a leaf's triangle range, on the path from the root.
struct PathEntry {
    Volume volume;        ///< of the tree's own frame
    PairVolume placed;    ///< in A's frame
    float size;           ///< squared circumradius in A's frame: decides which side is descended
    std::uint32_t first;  ///< inner: node index; leaf: first leaf position
    std::uint32_t kind;   ///< kChildInner or the leaf's triangle count

    bool leaf() const { return kind != kChildInner; }
};

/// Child `lane` of a node: where it is. Counts the children before it, since siblings lie together.
inline void locate_child(const AabbNode& node, unsigned lane, PathEntry* entry) {
    entry->kind = node.kind[lane];
    std::uint32_t position = entry->leaf() ? node.first_triangle : node.first_child;
    for (unsigned i = 0; i < lane; ++i) {
        const std::uint32_t kind = node.kind[i];
        if (entry->leaf())
            position += kind == kChildInner ? 0u : kind;
        else
            position += kind == kChildInner ? 1u : 0u;
    }
    entry->first = position;
}

class AabbPairWalk {
  public:
    void begin(const AabbTreeView& a, const AabbTreeView& b, const PairFrame& frame) {
        frame_ = frame;
        nodes_[0] = a.nodes;
        nodes_[1] = b.nodes;
        visit_count_ = 0;
        depth_[0] = depth_[1] = 0;
        path_[0][0].first = path_[1][0].first = 0;
        path_[0][0].kind = path_[1][0].kind = kChildInner;
        path_[0][0].volume = root_volume(a);
        path_[1][0].volume = root_volume(b);
        place(0, &path_[0][0]);
        place(1, &path_[1][0]);
        entered_ = true;
    }

    const PairFrame& frame() const { return frame_; }
    const PathEntry& a() const { return path_[0][depth_[0]]; }
    const PathEntry& b() const { return path_[1][depth_[1]]; }

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
    /// A replaced volume: which side it is on, and its children still to visit, two bits each, next one
    /// lowest.
    struct Visit {
        std::uint8_t side;
        std::uint8_t remaining;
        std::uint8_t order;
        bool child_on_path;
    };

    void place(unsigned side, PathEntry* entry) {
        entry->placed = side == 0 ? pair_volume_a(entry->volume) : pair_volume_b(entry->volume, frame_);
        const float* h = entry->placed.half;
        entry->size = (h[0] * h[0] + h[1] * h[1]) + h[2] * h[2];
        if (side == 1) entry->size *= frame_.max_scale * frame_.max_scale;
    }

    /// Replaces the larger of the two volumes by its children that may meet the other.
    template <Overlap kOverlap>
    void descend(Counters* counters) {
        const unsigned side = b().leaf() || (!a().leaf() && a().size >= b().size) ? 0 : 1;
        const PathEntry& entry = path_[side][depth_[side]];
        const AabbNode& node = nodes_[side][entry.first];
        float distance2[4];
        const unsigned hits =
            side == 0 ? overlap_children_of_a<kOverlap>(node, entry.volume, b().placed, frame_, distance2)
                      : overlap_children_of_b<kOverlap>(node, entry.volume, a().placed, frame_, distance2);
        counters->node_tests += count_bits(present_children(node));
        if (hits) visits_[visit_count_++] = make_visit(side, hits, distance2);
    }

    static unsigned count_bits(unsigned four) { return (0x4332322132212110u >> (4 * four)) & 7u; }

    /// Orders the hit children nearest first: a contact, if there is one, is found sooner.
    static Visit make_visit(unsigned side, unsigned hits, const float* distance2) {
        Visit visit{static_cast<std::uint8_t>(side), 0, 0, false};
        unsigned order[4];
        unsigned count = 0;
        for (unsigned lane = 0; lane < 4; ++lane) {
            if (!(hits >> lane & 1u)) continue;
            unsigned slot = count++;
            for (; slot > 0 && distance2[order[slot - 1]] > distance2[lane]; --slot)
                order[slot] = order[slot - 1];
            order[slot] = lane;
        }
        for (unsigned slot = 0; slot < count; ++slot)
            visit.order = static_cast<std::uint8_t>(visit.order | order[slot] << (2 * slot));
        visit.remaining = static_cast<std::uint8_t>(count);
        return visit;
    }

    /// Backtracks to the innermost visit with a child left and puts that child on the path.
    bool enter_next_child() {
        while (visit_count_ > 0) {
            Visit& visit = visits_[visit_count_ - 1];
            if (visit.child_on_path) --depth_[visit.side];
            if (visit.remaining == 0) {
                --visit_count_;
                continue;
            }
            const unsigned lane = visit.order & 3u;
            visit.order = static_cast<std::uint8_t>(visit.order >> 2);
            --visit.remaining;
            visit.child_on_path = true;
            enter_child(visit.side, lane);
            return true;
        }
        return false;
    }

    void enter_child(unsigned side, unsigned lane) {
        const PathEntry& parent = path_[side][depth_[side]];
        PathEntry& child = path_[side][++depth_[side]];
        const AabbNode& node = nodes_[side][parent.first];
        locate_child(node, lane, &child);
        child.volume = decode_child(node, parent.volume, lane);
        place(side, &child);
    }

    PairFrame frame_;
    const AabbNode* nodes_[2];
    std::uint32_t visit_count_;
    std::uint32_t depth_[2];
    bool entered_;  // the pair at the path's ends was not handled yet
    Visit visits_[2 * kMaxDepth];
    PathEntry path_[2][kMaxDepth + 1];
};

}  // namespace espalier
