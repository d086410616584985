// SPDX-License-Identifier: MIT
// All pairs of triangles of two bodies that touch, or of the parts of one, on aabb, box and cell trees.
// Each is an object in caller memory: `begin` or `begin_self`, then `step` until the verdict is no longer
// kUnresolved. No heap, no globals; one object serves any number of queries in turn, and a copy of it goes on
// by itself. The bodies, which `begin` copies as views, must outlive the query, and no poses be set until it
// ends.
#pragma once

#include <cstddef>

#include "espalier/body_collide.h"

namespace espalier {

/// All contacts of two bodies, each once, into a caller's buffer. A step may exceed its budget by the tests
/// of one visit: at most 16 pairs of boxes, or one pair of leaves.
/// @tparam Tree     AabbTreeView, BoxTreeView or CellTreeView
/// @tparam kOverlap kSatLite
template <class Tree, Overlap kOverlap = Overlap::kSatLite>
class BodyContacts {
    static_assert(Tree::has(kOverlap), "this tree has no such overlap test");

  public:
    /// Starts a query of all parts of A against all of B. Fails with kNoTree (a shape has no such tree) or
    /// kInvalidArgument (a body not begun, pose, or a null buffer with capacity); the verdict is then
    /// kUnresolved and `step` does nothing.
    /// @param pose     B's frame in A's; scale 1
    /// @param buffer   receives the contacts, those of a pair of parts together; may be null
    /// @param capacity contacts that fit
    Status begin(const Body& a, const Body& b, const Pose& pose, BodyContact* buffer, std::size_t capacity);

    /// Starts a query of all pairs of different parts of one body, except those that its asset lists. Fails
    /// likewise. In the answers, part_a < part_b.
    Status begin_self(const Body& body, BodyContact* buffer, std::size_t capacity);

    /// Works until every contact was found (kColliding or kDisjoint) or the budget is spent (kUnresolved).
    Verdict step(const Budget& budget = Budget());

    Verdict verdict() const;  ///< what is known by now
    /// Contacts found so far, also those that did not fit.
    std::uint64_t count() const;
    /// kBufferFull when some did not fit.
    Status status() const;
    const Counters& counters() const;  ///< work done since `begin`

  private:
    alignas(16) unsigned char state_[kBodyWalkBytes + Tree::contact_bytes(kOverlap)];
};

}  // namespace espalier
