// SPDX-License-Identifier: MIT
// Pairs of parts whose boxes are near each other: depth first through the trees of two bodies, or of one
// against itself, the nearest boxes first. Resumable and copyable: the whole state is here, without a pointer
// into itself.
#pragma once

#include "../base/points4.h"
#include "../pair/pair_walk.h"
#include "../pair/query_state.h"
#include "layout.h"

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

/// A box with a lane for each axis, and a lane of zeros.
struct NodeBox {
    F4 lo, hi;
};

class BodyWalk {
  public:
    /// All parts of A against all of B, from the roots, which are not tested. Fails with kInvalidArgument.
    Status begin(const Body& a, const Body& b, const Pose& pose) {
        if (!BodyAccess::begun(a) || !BodyAccess::begun(b)) return Status::kInvalidArgument;
        Placement place;
        if (!placement_of(pose, &place)) return Status::kInvalidArgument;
        body_[0] = a;
        body_[1] = b;
        self_ = false;
        given_ = pose;
        place_ = place;
        moved_ = !unmoved(place);
        if (moved_ && BodyAccess::node_count(a) + BodyAccess::node_count(b) > 2) set_matrix();
        start();
        return Status::kOk;
    }

    /// All pairs of different parts of one body that its asset does not list.
    Status begin_self(const Body& body) {
        if (!BodyAccess::begun(body)) return Status::kInvalidArgument;
        body_[0] = body_[1] = body;
        self_ = true;
        moved_ = false;
        start();
        return Status::kOk;
    }

    /// Bits of the trees that all shapes of both bodies have.
    std::uint32_t trees() const { return BodyAccess::trees(body_[0]) & BodyAccess::trees(body_[1]); }

    /// Goes on to the next pair of parts whose boxes are at most `reach` apart; the caller may lower it from
    /// call to call.
    /// @tparam kByBound the nearest first; else in any order
    template <bool kByBound>
    WalkEvent next(float reach, const Budget& budget, std::uint64_t most_tests, Counters* counters) {
        while (count_ > 0) {
            if (counters->node_tests >= most_tests || (budget.expired && budget.expired(budget.user)))
                return WalkEvent::kBudgetSpent;
            const Waiting pair = waiting_[--count_];
            if (pair.bound > reach) continue;
            const BodyNode& a = BodyAccess::node(body_[0], pair.a);
            const BodyNode& b = BodyAccess::node(body_[1], pair.b);
            if (a.count == 0 && b.count == 0) {
                if (take_parts(a.first, b.first)) return WalkEvent::kLeafPair;
            } else if (self_ && pair.a == pair.b) {
                open_itself<kByBound>(a, reach, counters);
            } else {
                open<kByBound>(pair, a, b, reach, counters);
            }
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

    /// The pair of parts that `next` stopped at, or that `take_parts` was given.
    std::uint32_t part_a() const { return part_[0]; }
    std::uint32_t part_b() const { return part_[1]; }
    const PartView& shape_a() const { return BodyAccess::shape(body_[0], part_[0]); }
    const PartView& shape_b() const { return BodyAccess::shape(body_[1], part_[1]); }

    /// Goes to a pair of parts. False where it needs no test: one part, a part without shape or that is not
    /// there, or a pair that the asset lists.
    bool take_parts(std::uint32_t a, std::uint32_t b) {
        if (self_) {
            if (a == b || body_[0].pair_listed(a, b)) return false;
            part_[0] = a < b ? a : b;
            part_[1] = a < b ? b : a;
            return true;
        }
        part_[0] = a;
        part_[1] = b;
        return true;
    }

    /// The same for numbers from elsewhere.
    bool take_any_parts(std::uint32_t a, std::uint32_t b) {
        if (a >= body_[0].part_count() || b >= body_[1].part_count()) return false;
        if (BodyAccess::part(body_[0], a).shape == kNoIndex) return false;
        if (BodyAccess::part(body_[1], b).shape == kNoIndex) return false;
        return take_parts(a, b);
    }

    /// Where part B's source frame is in that of part A. Of bodies whose frames are those of their parts it
    /// is the pose as it was given.
    Pose pose() const {
        const BodyPart& a = BodyAccess::part(body_[0], part_[0]);
        const BodyPart& b = BodyAccess::part(body_[1], part_[1]);
        if (moved_ && a.unmoved && b.unmoved) return given_;
        Placement place = moved_ ? b.unmoved ? place_ : compose(place_, b.place) : b.place;
        if (!a.unmoved) place = seen_from(a.place, place);
        return pose_of(place);
    }

    /// From part A's source frame to that of its body.
    void place_point(double* point) const {
        const BodyPart& a = BodyAccess::part(body_[0], part_[0]);
        if (a.unmoved) return;
        turn(a.place.rotation, point, point);
        for (int k = 0; k < 3; ++k) point[k] += a.place.translation[k];
    }
    void place_direction(double* direction) const {
        const BodyPart& a = BodyAccess::part(body_[0], part_[0]);
        if (!a.unmoved) turn(a.place.rotation, direction, direction);
    }

    bool self() const { return self_; }
    const Body& body(unsigned side) const { return body_[side]; }

    /// The box of a node, in A's frame.
    template <unsigned kSide>
    NodeBox box(const BodyNode& node) const {
        const NodeBox own = {point4(node.lo), point4(node.hi)};
        if (kSide == 0 || !moved_) return own;
        const F4 center = (own.lo + own.hi) * 0.5F, half = (own.hi - own.lo) * 0.5F;
        float c[4], h[4];
        store4(c, center);
        store4(h, half);
        const F4 at = ((column_[0] * c[0] + column_[1] * c[1]) + column_[2] * c[2]) + shift_;
        const F4 reach = ((abs_column_[0] * h[0] + abs_column_[1] * h[1]) + abs_column_[2] * h[2]) + margin_;
        return {at - reach, at + reach};
    }

    /// A lower bound of the distance of two boxes; 0 where they overlap.
    static float gap(const NodeBox& a, const NodeBox& b) {
        float g[4];
        store4(g, max(max(b.lo - a.hi, a.lo - b.hi), splat(0.0F)));
        // Six roundings of relative 2^-24 each are covered.
        return std::sqrt((g[0] * g[0] + g[1] * g[1]) + g[2] * g[2]) * 0.9999995F;
    }

  private:
    /// Two nodes that may be as near as their bound.
    struct Waiting {
        std::uint32_t a, b;
        float bound;
    };

    void start() {
        count_ = 0;
        const std::uint32_t a = BodyAccess::node_count(body_[0]), b = BodyAccess::node_count(body_[1]);
        if (a > 0 && b > 0) waiting_[count_++] = {a - 1, b - 1, 0};
    }

    /// B's frame in A's in float, and the error of a box placed by it. Let u = 2^-24 and S the sum of the
    /// translation's coordinates and those of B's root box, all absolute: centres carry the roundings of the
    /// matrix, of three products and sums and of the halving, each at most u S; half extents likewise; their
    /// sum and difference one more each. 32 u S exceeds all together.
    void set_matrix() {
        double r[9], reach = 0;
        rotation_of(place_.rotation, r);
        const std::uint32_t nodes = BodyAccess::node_count(body_[1]);
        if (nodes == 0) return;
        const BodyNode& root = BodyAccess::node(body_[1], nodes - 1);
        float t[4] = {0, 0, 0, 0};
        for (unsigned k = 0; k < 3; ++k) {
            float c[4] = {0, 0, 0, 0};
            for (unsigned row = 0; row < 3; ++row) c[row] = static_cast<float>(r[3 * row + k]);
            column_[k] = load4(c);
            abs_column_[k] = abs(column_[k]);
            t[k] = static_cast<float>(place_.translation[k]);
            reach += std::fabs(place_.translation[k]) + std::fabs(double(root.lo[k])) +
                     std::fabs(double(root.hi[k]));
        }
        shift_ = load4(t);
        margin_ = splat(static_cast<float>(32.0 / 16777216.0 * reach));
    }

    /// Puts a pair of nodes on the pile if it matters; nearest last, from `bottom` on.
    template <bool kByBound>
    void push(std::uint32_t a, std::uint32_t b, const NodeBox& box_a, const NodeBox& box_b, float reach,
              std::uint32_t bottom, float* keys) {
        ESPALIER_ASSERT(count_ < kMostWaitingPairs);
        const float bound = gap(box_a, box_b);
        if (!(bound <= reach)) return;
        if (!kByBound) {
            waiting_[count_++] = {a, b, bound};
            return;
        }
        float d[4];
        store4(d, (box_a.lo + box_a.hi) - (box_b.lo + box_b.hi));
        const float apart = 0.5F * std::sqrt((d[0] * d[0] + d[1] * d[1]) + d[2] * d[2]);
        const float key = bound * (1.0F - kNodeCenterWeight) + apart * kNodeCenterWeight;
        std::uint32_t slot = count_++;
        for (; slot > bottom && keys[slot - 1 - bottom] < key; --slot) {
            keys[slot - bottom] = keys[slot - 1 - bottom];
            waiting_[slot] = waiting_[slot - 1];
        }
        keys[slot - bottom] = key;
        waiting_[slot] = {a, b, bound};
    }

    /// Opens one of two nodes: the one with children, or with the larger box.
    template <bool kByBound>
    void open(const Waiting& pair, const BodyNode& a, const BodyNode& b, float reach, Counters* counters) {
        float keys[kBodyBranch];
        const std::uint32_t bottom = count_;
        const NodeBox box_a = box<0>(a), box_b = box<1>(b);
        if (b.count == 0 || (a.count > 0 && size(a) > size(b))) {
            for (std::uint32_t i = a.first; i < a.first + a.count; ++i)
                push<kByBound>(i, pair.b, box<0>(BodyAccess::node(body_[0], i)), box_b, reach, bottom, keys);
            counters->node_tests += a.count;
        } else {
            for (std::uint32_t j = b.first; j < b.first + b.count; ++j)
                push<kByBound>(pair.a, j, box_a, box<1>(BodyAccess::node(body_[1], j)), reach, bottom, keys);
            counters->node_tests += b.count;
        }
    }

    /// Opens a node against itself: pairs of different children, and below them those of a child with itself,
    /// whose parts are often nearer to each other.
    template <bool kByBound>
    void open_itself(const BodyNode& node, float reach, Counters* counters) {
        float keys[kMostNodePairs];
        const std::uint32_t end = node.first + node.count, bottom = count_;
        for (std::uint32_t i = node.first; i < end; ++i) {
            const NodeBox box_i = box<0>(BodyAccess::node(body_[0], i));
            for (std::uint32_t j = i + 1; j < end; ++j)
                push<kByBound>(i, j, box_i, box<0>(BodyAccess::node(body_[0], j)), reach, bottom, keys);
        }
        counters->node_tests += node.count * (node.count - 1) / 2;
        for (std::uint32_t i = end; i-- > node.first;)
            if (BodyAccess::node(body_[0], i).count > 0) waiting_[count_++] = {i, i, 0};
    }

    static float size(const BodyNode& node) {
        return (node.hi[0] - node.lo[0]) + (node.hi[1] - node.lo[1]) + (node.hi[2] - node.lo[2]);
    }

    Body body_[2];
    Pose given_;
    Placement place_;
    F4 column_[3], abs_column_[3], shift_, margin_;
    std::uint32_t part_[2];
    std::uint32_t count_;
    bool self_;
    bool moved_;  ///< B's frame is not A's
    Waiting waiting_[kMostWaitingPairs];
};

}  // namespace espalier
