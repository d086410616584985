// SPDX-License-Identifier: MIT
// Two bodies, or one and itself: where one is in the frame of the other, boxes of their nodes, and the pair
// of parts that is looked at. Copyable, without a pointer into itself.
#pragma once

#include <new>

#include "../base/points4.h"
#include "layout.h"

namespace espalier {

/// A box with a lane for each axis, and a lane of zeros.
struct NodeBox {
    F4 lo, hi;
};

class BodyPair {
  public:
    BodyPair() {}  // `set` fills it: to zero it first would cost a body of one part a hundredth of a query

    /// All parts of A against all of B. Fails with kInvalidArgument.
    Status set(const Body& a, const Body& b, const Pose& pose) {
        if (!BodyAccess::begun(a) || !BodyAccess::begun(b)) return Status::kInvalidArgument;
        plain_ = BodyAccess::plain(a) && BodyAccess::plain(b);
        if (plain_ ? !is_place(pose) : !placement_of(pose, &place_)) return Status::kInvalidArgument;
        take_bodies(a, b);
        self_ = false;
        new (&given_) Pose(pose);
        if (plain_) return Status::kOk;
        moved_ = !unmoved(place_);
        // One part against one is left to their own trees: no box is looked at.
        if (moved_ && node_count(0) + node_count(1) > 2) set_matrix();
        return Status::kOk;
    }

    /// All pairs of different parts of one body that its asset does not list.
    Status set_self(const Body& body) {
        if (!BodyAccess::begun(body)) return Status::kInvalidArgument;
        take_bodies(body, body);
        self_ = true;
        plain_ = moved_ = false;
        return Status::kOk;
    }

    /// The same bodies with B elsewhere; after their poses were set, too. False: it is no place, and nothing
    /// has changed. One body with itself stays where it is.
    bool move(const Pose& pose) {
        if (!is_place(pose)) return false;
        if (!self_) static_cast<void>(set(Body(body_[0]), Body(body_[1]), pose));
        return true;
    }

    bool self() const { return self_; }
    /// Bits of the trees that all shapes of both bodies have.
    std::uint32_t trees() const { return BodyAccess::trees(body_[0]) & BodyAccess::trees(body_[1]); }
    /// The numbers of nodes; the root is the last.
    std::uint32_t node_count(unsigned side) const { return BodyAccess::node_count(body_[side]); }
    const BodyNode& node(unsigned side, std::uint32_t index) const {
        return BodyAccess::node(body_[side], index);
    }

    /// The pair of parts that `take_parts` was given.
    std::uint32_t part_a() const { return part_[0]; }
    std::uint32_t part_b() const { return part_[1]; }
    const ShapeView& shape_a() const { return BodyAccess::shape(body_[0], part_[0]); }
    const ShapeView& shape_b() const { return BodyAccess::shape(body_[1], part_[1]); }

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
        if (plain_) return given_;
        const PlacedPart& a = BodyAccess::part(body_[0], part_[0]);
        const PlacedPart& b = BodyAccess::part(body_[1], part_[1]);
        if (moved_ && a.unmoved && b.unmoved) return given_;
        Placement place = moved_ ? b.unmoved ? place_ : compose(place_, b.place) : b.place;
        if (!a.unmoved) place = seen_from(a.place, place);
        return pose_of(place);
    }

    /// From part A's source frame to that of its body.
    void place_point(double* point) const {
        if (plain_) return;
        const PlacedPart& a = BodyAccess::part(body_[0], part_[0]);
        if (a.unmoved) return;
        turn(a.place.rotation, point, point);
        for (int k = 0; k < 3; ++k) point[k] += a.place.translation[k];
    }
    void place_direction(double* direction) const {
        if (plain_) return;
        const PlacedPart& a = BodyAccess::part(body_[0], part_[0]);
        if (!a.unmoved) turn(a.place.rotation, direction, direction);
    }

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

    static bool overlap(const NodeBox& a, const NodeBox& b) {
        return bits((a.lo <= b.hi) & (b.lo <= a.hi)) == 15;
    }

    /// A lower bound of the distance of two boxes; 0 where they overlap.
    static float gap(const NodeBox& a, const NodeBox& b) {
        float g[4];
        store4(g, max(max(b.lo - a.hi, a.lo - b.hi), splat(0.0F)));
        // Six roundings of relative 2^-24 each are covered.
        return std::sqrt((g[0] * g[0] + g[1] * g[1]) + g[2] * g[2]) * 0.9999995F;
    }

    /// Opens a pair of nodes, not both of parts, into pairs of children; returns how many were looked at.
    /// @param visit   (a, b, box_a, box_b), both boxes in A's frame
    /// @param itself  (node): in a body with itself, a node whose parts are to be paired with each other
    template <class Visit, class Itself>
    std::uint32_t open(std::uint32_t a, std::uint32_t b, Visit visit, Itself itself) const {
        const BodyNode &node_a = node(0, a), &node_b = node(1, b);
        if (self_ && a == b) return open_itself(node_a, visit, itself);
        if (node_b.count == 0 || (node_a.count > 0 && size(node_a) > size(node_b))) {
            const NodeBox box_b = box<1>(node_b);
            for (std::uint32_t i = node_a.first; i < node_a.first + node_a.count; ++i)
                visit(i, b, box<0>(node(0, i)), box_b);
            return node_a.count;
        }
        const NodeBox box_a = box<0>(node_a);
        for (std::uint32_t j = node_b.first; j < node_b.first + node_b.count; ++j)
            visit(a, j, box_a, box<1>(node(1, j)));
        return node_b.count;
    }

  private:
    void take_bodies(const Body& a, const Body& b) {
        new (&body_[0]) Body(a);
        new (&body_[1]) Body(b);
    }

    template <class Visit, class Itself>
    std::uint32_t open_itself(const BodyNode& whole, Visit visit, Itself itself) const {
        const std::uint32_t end = whole.first + whole.count;
        for (std::uint32_t i = whole.first; i < end; ++i) {
            const NodeBox box_i = box<0>(node(0, i));
            for (std::uint32_t j = i + 1; j < end; ++j) visit(i, j, box_i, box<0>(node(0, j)));
        }
        for (std::uint32_t i = end; i-- > whole.first;)
            if (node(0, i).count > 0) itself(i);
        return whole.count * (whole.count - 1) / 2;
    }

    /// What decides which of two nodes is opened.
    static float size(const BodyNode& node) {
        return (node.hi[0] - node.lo[0]) + (node.hi[1] - node.lo[1]) + (node.hi[2] - node.lo[2]);
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

    // In unions, so that nobody sets them before `set`. NOLINTBEGIN(readability-identifier-naming): private
    union {
        Body body_[2];
    };
    union {
        Pose given_;
    };
    // NOLINTEND(readability-identifier-naming)
    Placement place_;
    F4 column_[3], abs_column_[3], shift_, margin_;
    std::uint32_t part_[2];
    bool self_;
    bool plain_;  ///< one part each whose frame is its body's: nothing but `given_` is needed
    bool moved_;  ///< B's frame is not A's
};

}  // namespace espalier
