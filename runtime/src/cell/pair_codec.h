// SPDX-License-Identifier: MIT
// Pairs of cells of two cell trees (Zachmann 1997, "Simultaneous recursive traversal of BoxTrees"): both
// cells of a pair are replaced by their children, or one when the other is a leaf; pairs with an empty cell
// end at once, and cells beside empty ones are passed through. The children of the nodes on the path are kept
// for all pairs that they occur in.
#pragma once

#include "../base/assert.h"
#include "../base/bits.h"
#include "../pair/leaf_distance.h"
#include "../pair/pair_walk.h"
#include "../pair/tree_codecs.h"
#include "../pair/visits.h"
#include "bound.h"
#include "clip.h"
#include "polygons.h"

namespace espalier {

/// The pairs of a visit, as lanes of both sides' children.
struct CellVisit : BoundedPairList<4> {
    std::uint8_t depth[2];  ///< of the pairs' lanes
    std::uint8_t lane[2];   ///< of the side that was not descended
    bool down[2];
};

/// What witnesses and contacts need to know of the way back, and distances do not.
template <bool kDistances>
struct WayBack : InverseFrame {};
template <>
struct WayBack<true> {
    void begin(const PairFrame&) {}
};

/// `Test` decides which pairs of children are kept: CellIntervals, CellClipping, or CellBounds.
template <class Test>
class CellPairs {
  public:
    using Lanes = typename Test::Lanes;
    using Visit = CellVisit;
    // A visit descends at least one side, and both unless one is a leaf: no more than the deeper tree has
    // cuts.
    static constexpr std::uint32_t kMaxVisits = kMaxCellDepth;
    static constexpr bool kBounded = true;
    static constexpr bool kByBound = true;
    static constexpr bool kExactLimit = false;
    static constexpr bool kScouts = false;

    static bool present(const ShapeView& part) { return part.cell.present(); }

    void begin(const ShapeView& a, const ShapeView& b) {
        parts_.set(a, b);
        test_.begin();
        inverse_.begin(frame());
        for (unsigned side = 0; side < 2; ++side) {
            for (Lanes& lanes : path_[side]) lanes.source = ~0u;
            place_root(side);
        }
        restart();
    }

    void restart() {
        for (unsigned side = 0; side < 2; ++side) depth_[side] = lane_[side] = 0;
    }

    PairFrame& frame() { return test_.frame(); }
    const PairFrame& frame() const { return test_.frame(); }
    const PairMeshes& meshes() const { return parts_.pair; }
    void set_reach(float reach) { test_.set_reach(reach); }

    bool at_leaves() const { return range(0).leaf() && range(1).leaf(); }

    bool expand(float reach, Visit* visit, Counters* counters) {
        CellDescent d;
        for (unsigned side = 0; side < 2; ++side) {
            d.down[side] = !range(side).leaf();
            d.lane[side] = lane_[side];
        }
        if (d.down[0]) open_children<0>();
        if (d.down[1]) open_children<1>();
        visit->remaining = 0;
        for (unsigned side = 0; side < 2; ++side) {
            visit->depth[side] = static_cast<std::uint8_t>(depth_[side] + d.down[side]);
            visit->lane[side] = static_cast<std::uint8_t>(lane_[side]);
            visit->down[side] = d.down[side];
        }
        const Lanes& a = path_[0][visit->depth[0]];
        const Lanes& b = path_[1][visit->depth[1]];
        const unsigned tested = present_children(0, a, d.down[0]) & present_children(1, b, d.down[1]);
        counters->node_tests += count_bits(tested);
        float gap[4];
        unsigned hits = test_.test(a, b, d, reach, gap) & tested;
        for (unsigned lane = 0; hits; ++lane, hits >>= 1)
            if (hits & 1u) visit->insert(lane, gap[lane]);
        return visit->remaining > 0;
    }

    void enter(const Visit& visit, unsigned lane) {
        for (unsigned side = 0; side < 2; ++side) {
            depth_[side] = visit.depth[side];
            lane_[side] = visit.down[side] ? lane : visit.lane[side];
        }
    }
    void leave(const Visit&) {}

    /// What a side's current leaf lists, and its cell.
    const CellTreeView& tree(unsigned side) const { return parts_.tree[side]; }
    CellLists lists(unsigned side) const { return cell_leaf_lists(tree(side).nodes, range(side)); }
    CellVolume volume(unsigned side) const { return Test::volume(lanes(side), side, lane_[side]); }

    /// Calls `found(contact)` for every contact that is at home in the current leaves until it returns true;
    /// returns whether it did.
    template <class Found>
    bool for_contacts(Counters* counters, Found found) const {
        const WalkedLeaf a = leaf(0), b = leaf(1);
        return for_polygon_pairs(
            parts_, frame(), inverse_, a, b, counters,
            [&](std::uint32_t triangle_a, std::uint32_t triangle_b) {
                Contact contact;
                const ListedElement entry[2] = {{triangle_a, false}, {triangle_b, false}};
                return test_triangles(parts_.pair, frame(), triangle_a, triangle_b, &contact) &&
                       at_home(contact.point, a, b, entry) && found(contact);
            });
    }

    /// As for_contacts.
    template <class Found>
    bool for_witnesses(Counters* counters, Found found) const {
        const WalkedLeaf a = leaf(0), b = leaf(1);
        return for_leaf_witnesses(parts_, frame(), a, b, counters, [&](const CellWitness& witness) {
            const unsigned side = witness.edge_side;
            ListedElement entry[2];
            entry[side] = {3 * witness.edge_triangle + witness.edge_corner, true};
            entry[1 - side] = {witness.triangle, false};
            return at_home(witness.point, a, b, entry) && found(witness);
        });
    }

    bool find_contact(Counters* counters, CellWitness* witness) const {
        return for_polygon_pairs(parts_, frame(), inverse_, leaf(0), leaf(1), counters,
                                 [&](std::uint32_t triangle_a, std::uint32_t triangle_b) {
                                     return test_pair(triangle_a, triangle_b, witness);
                                 });
    }

    bool test_pair(std::uint32_t triangle_a, std::uint32_t triangle_b, CellWitness* witness) const {
        return polygon_witness(parts_, frame(), triangle_a, triangle_b, witness);
    }

    /// Improves `best` by the current leaves.
    void improve(Counters* counters, NearestPair* best) const {
        const CellLists a = lists(0), b = lists(1);
        improve_by_leaves(parts_.pair, frame(), a.first_triangle, a.triangle_count, b.first_triangle,
                          b.triangle_count, counters, best);
    }
    void set_axis(const float* axis) { test_.set_axis(axis); }

  private:
    const Lanes& lanes(unsigned side) const { return path_[side][depth_[side]]; }
    const CellRange& range(unsigned side) const { return lanes(side).range[child_of(side, lane_[side])]; }

    void place_root(unsigned side) {
        const CellTreeView& tree = parts_.tree[side];
        Lanes& lanes = path_[side][0];
        CellRange range = {0, tree.unit_count};
        CellVolume cell = root_cell(tree);
        skip_chipped(tree.nodes, tree.delta, &range, &cell);
        if (side == 0)
            test_.template root<0>(cell, &lanes);
        else
            test_.template root<1>(cell, &lanes);
        lanes.range[0] = lanes.range[1] = range;
    }

    /// Fills the next level of a side with the children of its current cell, unless it holds them already.
    template <unsigned kSide>
    void open_children() {
        const CellRange parent = range(kSide);
        ESPALIER_ASSERT(depth_[kSide] < kMaxCellDepth);
        Lanes& out = path_[kSide][depth_[kSide] + 1];
        if (out.source == parent.node) return;
        out.source = parent.node;
        const CellNode* nodes = parts_.tree[kSide].nodes;
        const float delta = parts_.tree[kSide].delta;
        CellVolume cells[2] = {volume(kSide), volume(kSide)};
        for (unsigned child = 0; child < 2; ++child) {
            out.range[child] = cell_child(nodes, parent, child);
            cut_cell(nodes[parent.node], delta, child, &cells[child]);
            if (!out.range[child].empty()) skip_chipped(nodes, delta, &out.range[child], &cells[child]);
        }
        test_.template children<kSide>(cells, lanes(kSide), lane_[kSide], &out);
    }

    static unsigned present_children(unsigned side, const Lanes& children, bool down) {
        // Where a side stays, its pairs are those of lane 0.
        return down ? present_lanes(side, !children.range[0].empty(), !children.range[1].empty())
                    : present_lanes(side, true, false);
    }

    WalkedLeaf leaf(unsigned side) const {
        WalkedLeaf leaf;
        leaf.unit = range(side).node;
        leaf.lists = lists(side);
        leaf.cell = volume(side);
        leaf.in_a = side == 0 ? leaf.cell : enclose_in_a(leaf.cell, frame());
        return leaf;
    }

    /// Whether a common point, in A's source frame, of what A's leaf and B's list as `entry` is at home here.
    bool at_home(const double* point, const WalkedLeaf& a, const WalkedLeaf& b,
                 const ListedElement* entry) const {
        double in_a[3], in_b[3];
        for (unsigned k = 0; k < 3; ++k) in_a[k] = point[k] - parts_.pair.origin_a[k];
        inverse_.place(in_a, in_b);
        const CellHomes homes(frame(), inverse_);
        return homes.home(0, parts_.tree[0], in_a, a.unit, entry[0]) &&
               homes.home(1, parts_.tree[1], in_b, b.unit, entry[1]);
    }

    Test test_;
    CellParts parts_;
    WayBack<Test::kDistances> inverse_;
    std::uint32_t depth_[2];
    std::uint32_t lane_[2];
    Lanes path_[2][kMaxCellDepth + 1];
};

/// The pair of polygons to which a witness belongs.
inline Cue cue_of(const CellWitness& witness) {
    if (witness.edge_side == 0) return Cue{witness.edge_triangle, witness.triangle, true};
    return Cue{witness.triangle, witness.edge_triangle, true};
}

template <>
struct PairCodecs<CellTreeView> {
    template <Overlap kOverlap>
    using First = CellPairs<typename CellTestOf<kOverlap>::Type>;
    template <Overlap kOverlap>
    using All = First<kOverlap>;
    using Nearest = CellPairs<CellBounds>;
};

}  // namespace espalier
