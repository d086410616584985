// SPDX-License-Identifier: MIT
// Pairs of boxes of two box trees (Zachmann 2002, section 3.3): both boxes of a pair are replaced by their
// grandchildren and the sixteen pairs tested, or only the larger box's by its four when the sizes differ
// much. The grandchildren of the nodes on the path are kept for all pairs that they occur in.
#pragma once

#include "../base/assert.h"
#include "../base/bits.h"
#include "../pair/best_axis.h"
#include "../pair/leaf_distance.h"
#include "../pair/pair_walk.h"
#include "../pair/tree_codecs.h"
#include "../pair/visits.h"
#include "leaf.h"

namespace espalier {

/// Both boxes are replaced unless one has more than this times the other's squared diagonal.
constexpr float kSimilarSize = 4.0F;

/// Gaps of the four boxes of `four` to one box: the largest over the first `kAxes` axes. Not positive: may
/// meet.
template <unsigned kAxes, Overlap kOverlap>
inline F4 box_gaps(const BoxLanes<kOverlap>& four, const BoxLanes<kOverlap>& one, unsigned lane,
                   unsigned first_axis) {
    F4 gap = splat(-3.0e38F);
    for (unsigned k = first_axis; k < first_axis + kAxes; ++k) {
        const F4 below = load4(four.lo[k]) - splat(one.hi[k][lane]);
        const F4 above = splat(one.lo[k][lane]) - load4(four.hi[k]);
        gap = max(gap, max(below, above));
    }
    return gap;
}

/// Bits of the lanes of `four` that may meet the box in `lane` of `one`; `gaps` receives the measure by which
/// pairs are ordered.
template <Overlap kOverlap>
inline unsigned overlap_lanes(const BoxLanes<kOverlap>& four, const BoxLanes<kOverlap>& one, unsigned lane,
                              float* gaps) {
    constexpr bool kBothFrames = kOverlap == Overlap::kSat || kOverlap == Overlap::kSatLite;
    const F4 zero = splat(0.0F);
    const F4 gap = box_gaps < kBothFrames ? 6 : 3 > (four, one, lane, 0);
    store4(gaps, gap);
    unsigned hits = bits(gap <= zero) & four.present;
    if constexpr (kOverlap == Overlap::kSat)
        if (hits) hits &= bits(box_gaps<9>(four, one, lane, 6) <= zero);
    return hits;
}

/// Lower bounds of the distances of four boxes to one, without the best axis. The gaps along a frame's axes
/// are the sides of a box between the two; four roundings of relative 2^-24 are covered by shrinking the
/// root.
inline F4 distance_bounds(const BoxLanes<Overlap::kSatLite>& four, const BoxLanes<Overlap::kSatLite>& one,
                          unsigned lane, const PairFrame& f) {
    F4 squared[2] = {splat(0.0F), splat(0.0F)};
    for (unsigned k = 0; k < 6; ++k) {
        const F4 below = load4(four.lo[k]) - splat(one.hi[k][lane]);
        const F4 above = splat(one.lo[k][lane]) - load4(four.hi[k]);
        const F4 gap = k < 3 ? positive(max(below, above)) : positive(max(below, above)) * f.scale4[k - 3];
        squared[k / 3] = squared[k / 3] + gap * gap;
    }
    return sqrt(max(squared[0], squared[1])) * 0.9999995F;
}

/// Which boxes of a pair are replaced; at least one. Precondition: not both are leaves.
struct BoxDescent {
    bool a, b;
};

template <Overlap kOverlap>
inline BoxDescent box_descent(const BoxLanes<kOverlap>& a, unsigned lane_a, const BoxLanes<kOverlap>& b,
                              unsigned lane_b) {
    const bool leaf_a = a.leaf(lane_a), leaf_b = b.leaf(lane_b);
    ESPALIER_ASSERT(!leaf_a || !leaf_b);
    const float size_a = a.size[lane_a], size_b = b.size[lane_b];
    BoxDescent down;
    down.a = !leaf_a && (leaf_b || size_a * kSimilarSize >= size_b);
    down.b = !leaf_b && (!down.a || size_b * kSimilarSize >= size_a);
    return down;
}

/// The pairs of a visit, as lane of A | lane of B << 2, and the depths of their lanes.
template <class Pairs>
struct BoxVisit : Pairs {
    std::uint8_t depth[2];
};

/// Pairs that may overlap, deepest overlaps first when `kOrdered`.
template <Overlap kTest, bool kOrdered>
class BoxOverlapTest {
  public:
    static constexpr Overlap kOverlap = kTest;
    static constexpr bool kBounded = false;
    using Lanes = BoxLanes<kOverlap>;
    using Visit = BoxVisit<PairList<16>>;

    void begin(const PairFrame&) {}

    void add_pairs(const Lanes& a, const Lanes& b, const BoxDescent& down, const std::uint32_t* lane,
                   const PairFrame&, float, Visit* visit, Counters* counters) const {
        float gap[4], key[16];
        if (!down.a) {
            counters->node_tests += count_bits(b.present);
            add_lanes(overlap_lanes(b, a, lane[0], gap), 2, lane[0], gap, key, visit);
        } else if (!down.b) {
            counters->node_tests += count_bits(a.present);
            add_lanes(overlap_lanes(a, b, lane[1], gap), 0, lane[1] << 2, gap, key, visit);
        } else {
            counters->node_tests += count_bits(a.present) * count_bits(b.present);
            for (unsigned i = 0; i < 4; ++i)
                if (b.present >> i & 1u) add_lanes(overlap_lanes(a, b, i, gap), 0, i << 2, gap, key, visit);
        }
    }

  private:
    /// Adds hit lanes; `shift` places the lane in the pair's number beside `other`.
    static void add_lanes(unsigned hits, unsigned shift, unsigned other, const float* gap, float* key,
                          Visit* visit) {
        for (unsigned lane = 0; lane < 4; ++lane) {
            if (!(hits >> lane & 1u)) continue;
            if constexpr (kOrdered)
                visit->insert(other | lane << shift, gap[lane], key);
            else
                visit->append(other | lane << shift);
        }
    }
};

/// Pairs that may be within reach, nearest first; the intervals of SAT lite give the bounds.
struct BoxBoundTest {
    static constexpr Overlap kOverlap = Overlap::kSatLite;
    static constexpr bool kBounded = true;
    using Lanes = BoxLanes<kOverlap>;
    using Visit = BoxVisit<BoundedPairList<16>>;
    BestAxis axis;

    void begin(const PairFrame& f) {
        const float none[3] = {0, 0, 0};
        axis = best_axis(none, f);
    }

    void add_pairs(const Lanes& a, const Lanes& b, const BoxDescent& down, const std::uint32_t* lane,
                   const PairFrame& f, float reach, Visit* visit, Counters* counters) const {
        float reach_a[4], reach_b[4];
        store4(reach_a, interval_reach<0>(a.lo, a.hi, axis));
        store4(reach_b, interval_reach<1>(b.lo, b.hi, axis));
        if (!down.a) {
            const F4 along = (load4(reach_b) - splat(reach_a[lane[0]])) - f.margin4;
            add_lanes(max(along, distance_bounds(b, a, lane[0], f)), b.present, reach, 2, lane[0], visit);
            counters->node_tests += count_bits(b.present);
            return;
        }
        const unsigned others = down.b ? b.present : 1u << lane[1];
        for (unsigned i = 0; i < 4; ++i) {
            if (!(others >> i & 1u)) continue;
            const F4 along = (splat(reach_b[i]) - load4(reach_a)) - f.margin4;
            add_lanes(max(along, distance_bounds(a, b, i, f)), a.present, reach, 0, i << 2, visit);
            counters->node_tests += count_bits(a.present);
        }
    }

  private:
    static void add_lanes(F4 bounds, unsigned present, float reach, unsigned shift, unsigned other,
                          Visit* visit) {
        float bound[4];
        store4(bound, bounds);
        unsigned open = bits(bounds <= splat(reach)) & present;
        for (unsigned lane = 0; open; ++lane, open >>= 1)
            if (open & 1u) visit->insert(other | lane << shift, bound[lane]);
    }
};

template <class Test>
class BoxPairs {
  public:
    using Lanes = typename Test::Lanes;
    using Visit = typename Test::Visit;
    static constexpr std::uint32_t kMaxVisits = kMaxBoxDepth;
    static constexpr bool kBounded = Test::kBounded;
    static constexpr bool kByBound = kBounded;
    static constexpr bool kExactLimit = true;
    static constexpr bool kScouts = true;

    static bool present(const ShapeView& part) { return part.box.present(); }

    void begin(const ShapeView& a, const ShapeView& b) {
        projector_.begin(b.box);
        test_.begin(frame());
        meshes_ = box_pair_meshes(a, b);
        const BoxTreeView* trees[2] = {&a.box, &b.box};
        for (unsigned side = 0; side < 2; ++side) {
            nodes_[side] = trees[side]->nodes;
            leaf_triangles_[side] = trees[side]->leaf_triangles;
            for (Lanes& lanes : path_[side]) lanes.source = ~0u;
            root_lanes(projector_, *trees[side], side, &path_[side][0]);
        }
        restart();
    }

    void restart() {
        for (unsigned side = 0; side < 2; ++side) depth_[side] = lane_[side] = offset_[side] = 0;
    }

    PairFrame& frame() { return projector_.frame; }
    const PairFrame& frame() const { return projector_.frame; }
    const PairMeshes& meshes() const { return meshes_; }
    void set_reach(float) {}

    bool at_leaves() const { return lanes(0).leaf(lane_[0]) && lanes(1).leaf(lane_[1]); }

    bool expand(float reach, Visit* visit, Counters* counters) {
        const BoxDescent down = box_descent(lanes(0), lane_[0], lanes(1), lane_[1]);
        ESPALIER_ASSERT((!down.a || depth_[0] + 1 < kBoxLevels) && (!down.b || depth_[1] + 1 < kBoxLevels));
        if (down.a) grandchildren<0>(projector_, nodes_[0], lanes(0), lane_[0], &path_[0][depth_[0] + 1]);
        if (down.b) grandchildren<1>(projector_, nodes_[1], lanes(1), lane_[1], &path_[1][depth_[1] + 1]);
        visit->remaining = 0;
        visit->depth[0] = static_cast<std::uint8_t>(depth_[0] + down.a);
        visit->depth[1] = static_cast<std::uint8_t>(depth_[1] + down.b);
        test_.add_pairs(path_[0][visit->depth[0]], path_[1][visit->depth[1]], down, lane_, frame(), reach,
                        visit, counters);
        return visit->remaining > 0;
    }

    void enter(const Visit& visit, unsigned pair) {
        for (unsigned side = 0; side < 2; ++side) {
            depth_[side] = visit.depth[side];
            offset_[side] = depth_[side] * std::uint32_t(sizeof(Lanes));
        }
        lane_[0] = pair & 3u;
        lane_[1] = pair >> 2;
    }
    void leave(const Visit&) {}

    /// Calls `found(contact)` for every contact of the current leaves until it returns true; returns whether
    /// it did.
    template <class Found>
    bool for_contacts(Counters* counters, Found found) const {
        return for_box_leaf_contacts(meshes_, frame(), leaf(0), leaf(1), counters, found);
    }

    bool find_contact(Counters* counters, Contact* contact) const {
        return for_contacts(counters, [contact](const Contact& found) {
            *contact = found;
            return true;
        });
    }

    bool test_pair(std::uint32_t triangle_a, std::uint32_t triangle_b, Contact* contact) const {
        return test_triangles(meshes_, frame(), triangle_a, triangle_b, contact);
    }

    /// Improves `best` by the current leaves.
    void improve(Counters* counters, NearestPair* best) const {
        const BoxLeaf a = leaf(0), b = leaf(1);
        improve_by_leaves(meshes_, frame(), a.first, a.count, b.first, b.count, counters, best);
    }
    void set_axis(const float* axis) { test_.axis = best_axis(axis, frame()); }

  private:
    const Lanes& lanes(unsigned side) const {
        return *reinterpret_cast<const Lanes*>(reinterpret_cast<const unsigned char*>(path_[side]) +
                                               offset_[side]);
    }
    BoxLeaf leaf(unsigned side) const {
        return box_leaf(lanes(side), lane_[side], leaf_triangles_[side], meshes_.mesh[side].triangle_count);
    }

    BoxProjector<Test::kOverlap> projector_;
    Test test_;
    PairMeshes meshes_;
    const BoxNode* nodes_[2];
    std::uint32_t leaf_triangles_[2];
    std::uint32_t depth_[2];
    std::uint32_t offset_[2];  // of the current lanes in the path, in bytes: no product a visit
    std::uint32_t lane_[2];
    Lanes path_[2][kBoxLevels];
};

template <>
struct PairCodecs<BoxTreeView> {
    template <Overlap kOverlap>
    using First = BoxPairs<BoxOverlapTest<kOverlap, true>>;
    template <Overlap kOverlap>
    using All = BoxPairs<BoxOverlapTest<kOverlap, false>>;
    using Nearest = BoxPairs<BoxBoundTest>;
};

}  // namespace espalier
