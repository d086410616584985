// SPDX-License-Identifier: MIT
// Pairs of volumes of two aabb trees (van den Bergen 1998, section 3): the larger volume is replaced by its
// four children, all tested at once against the other.
#pragma once

#include "../base/bits.h"
#include "../pair/leaf_distance.h"
#include "../pair/pair_walk.h"
#include "../pair/tree_codecs.h"
#include "../pair/visits.h"
#include "bound.h"

namespace espalier {

/// The end of the path on one side: a node, or a leaf's range of triangles. Its volume lies in the walk,
/// addressed by its distance in bytes from the codec, so that a walk can be copied.
struct PathEnd {
    std::uint32_t lanes;
    std::uint32_t lane;
    std::uint32_t first;  ///< inner: node index; leaf: first leaf position
    std::uint32_t kind;   ///< kChildInner or the leaf's triangle count

    bool leaf() const { return kind != kChildInner; }
};

/// A replaced volume: its children, those still to visit (two bits each, next one lowest) and what it
/// replaced.
struct AabbVisit {
    VolumeLanes lanes;
    const AabbNode* node;
    PathEnd parent;
    std::uint8_t side;
    std::uint8_t remaining;
    std::uint8_t order;

    unsigned take() { return take_lane(&order, &remaining); }
};

/// As `overlap_children` or `bound_children`, whose order is not that of the bounds.
struct BoundedAabbVisit : AabbVisit {
    float bounds[4];

    float next_bound() const { return bounds[order & 3u]; }
    float least_bound() const {
        float least = __builtin_huge_valf();
        for (unsigned k = 0; k < remaining; ++k) {
            const float bound = bounds[order >> (2 * k) & 3u];
            if (bound < least) least = bound;
        }
        return least;
    }
};

/// Children that may overlap, nearest centre first: a contact, if there is one, is found sooner.
template <Overlap kOverlap>
struct AabbOverlapTest {
    static constexpr bool kBounded = false;
    using Visit = AabbVisit;

    void begin(const PairFrame&) {}

    template <int kSide>
    unsigned children(const AabbNode& node, const VolumeLanes& parent, unsigned parent_lane,
                      const VolumeLanes& other, unsigned other_lane, const PairFrame& f, float,
                      AabbVisit* visit, float* keys) const {
        return overlap_children<kOverlap, kSide>(node, parent, parent_lane, other, other_lane, f,
                                                 &visit->lanes, keys);
    }
};

/// Children that may be within reach, most promising first.
struct AabbBoundTest {
    static constexpr bool kBounded = true;
    using Visit = BoundedAabbVisit;
    BestAxis axis;

    void begin(const PairFrame& f) {
        const float none[3] = {0, 0, 0};
        axis = best_axis(none, f);
    }

    template <int kSide>
    unsigned children(const AabbNode& node, const VolumeLanes& parent, unsigned parent_lane,
                      const VolumeLanes& other, unsigned other_lane, const PairFrame& f, float reach,
                      BoundedAabbVisit* visit, float* keys) const {
        return bound_children<kSide>(node, parent, parent_lane, other, other_lane, f, axis, reach,
                                     &visit->lanes, visit->bounds, keys);
    }
};

template <class Test>
class AabbPairs {
  public:
    using Visit = typename Test::Visit;
    static constexpr std::uint32_t kMaxVisits = 2 * kMaxAabbDepth;
    static constexpr bool kBounded = Test::kBounded;
    static constexpr bool kByBound = false;
    static constexpr bool kExactLimit = true;
    static constexpr bool kScouts = true;

    static bool present(const ShapeView& part) { return part.aabb.present(); }

    void begin(const ShapeView& a, const ShapeView& b) {
        meshes_.set(a, b);
        nodes_[0] = a.aabb.nodes;
        nodes_[1] = b.aabb.nodes;
        test_.begin(frame_);
        restart();
    }

    void restart() {
        for (unsigned side = 0; side < 2; ++side) {
            store_root(meshes_.tree[side], frame_, side, &root_[side]);
            end_[side] = PathEnd{offset_of(&root_[side]), 0, 0, kChildInner};
        }
    }

    PairFrame& frame() { return frame_; }
    const PairFrame& frame() const { return frame_; }
    const PairMeshes& meshes() const { return meshes_; }
    void set_reach(float) {}

    bool at_leaves() const { return end_[0].leaf() && end_[1].leaf(); }

    bool expand(float reach, Visit* visit, Counters* counters) {
        const unsigned side = side_to_open();
        const AabbNode& node = nodes_[side][end_[side].first];
        float keys[4];
        const unsigned hits =
            side == 0 ? children<0>(node, reach, visit, keys) : children<1>(node, reach, visit, keys);
        counters->node_tests += count_bits(present_children(node));
        if (!hits) return false;
        visit->node = &node;
        visit->parent = end_[side];
        visit->side = static_cast<std::uint8_t>(side);
        order_lanes(hits, keys, &visit->order, &visit->remaining);
        return true;
    }

    void enter(const Visit& visit, unsigned lane) {
        const ChildPlace place = place_of_child(*visit.node, lane);
        end_[visit.side] = PathEnd{offset_of(&visit.lanes), lane, place.first, place.kind};
    }
    void leave(const Visit& visit) { end_[visit.side] = visit.parent; }

    /// Calls `found(contact)` for every contact of the current leaves until it returns true; returns whether
    /// it did.
    template <class Found>
    bool for_contacts(Counters* counters, Found found) const {
        return for_leaf_contacts(meshes_, frame_, end_[0].first, end_[0].kind, end_[1].first, end_[1].kind,
                                 counters, found);
    }

    bool find_contact(Counters* counters, Contact* contact) const {
        return for_contacts(counters, [contact](const Contact& found) {
            *contact = found;
            return true;
        });
    }

    bool test_pair(std::uint32_t triangle_a, std::uint32_t triangle_b, Contact* contact) const {
        return test_triangles(meshes_, frame_, triangle_a, triangle_b, contact);
    }

    /// Improves `best` by the current leaves.
    void improve(Counters* counters, NearestPair* best) const {
        improve_by_leaves(meshes_, frame_, end_[0].first, end_[0].kind, end_[1].first, end_[1].kind, counters,
                          best);
    }
    void set_axis(const float* axis) { test_.axis = best_axis(axis, frame_); }

  private:
    std::uint32_t offset_of(const VolumeLanes* lanes) const {
        return static_cast<std::uint32_t>(reinterpret_cast<const unsigned char*>(lanes) -
                                          reinterpret_cast<const unsigned char*>(this));
    }
    const VolumeLanes& lanes(const PathEnd& end) const {
        return *reinterpret_cast<const VolumeLanes*>(reinterpret_cast<const unsigned char*>(this) +
                                                     end.lanes);
    }

    /// The larger volume, or the one that is not a leaf.
    unsigned side_to_open() const {
        const PathEnd &a = end_[0], &b = end_[1];
        return b.leaf() || (!a.leaf() && lanes(a).size[a.lane] >= lanes(b).size[b.lane]) ? 0 : 1;
    }

    template <int kSide>
    unsigned children(const AabbNode& node, float reach, Visit* visit, float* keys) const {
        const PathEnd &parent = end_[kSide], &other = end_[1 - kSide];
        return test_.template children<kSide>(node, lanes(parent), parent.lane, lanes(other), other.lane,
                                              frame_, reach, visit, keys);
    }

    PairFrame frame_;
    Test test_;
    const AabbNode* nodes_[2];
    PathEnd end_[2];
    PairMeshes meshes_;
    VolumeLanes root_[2];
};

template <>
struct PairCodecs<AabbTreeView> {
    template <Overlap kOverlap>
    using First = AabbPairs<AabbOverlapTest<kOverlap>>;
    template <Overlap kOverlap>
    using All = First<kOverlap>;
    using Nearest = AabbPairs<AabbBoundTest>;
};

}  // namespace espalier
