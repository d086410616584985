// SPDX-License-Identifier: MIT
// All pairs of triangles of two parts that touch, on aabb, box and cell trees.
// Each is an object in caller memory: `begin`, then `step` until the verdict is no longer kUnresolved. No
// heap, no globals; one object serves any number of queries in turn, and a copy of it goes on by itself. The
// parts given to `begin` are copied as views: their bytes must outlive the query.
#pragma once

#include <cstddef>

#include "espalier/asset.h"
#include "espalier/pose.h"
#include "espalier/query.h"

namespace espalier {

/// All contacts of two parts, each once, into a caller's buffer. A step may exceed its budget by the tests of
/// one visit: at most 16 pairs of boxes, or one pair of leaves.
/// @tparam Tree     AabbTreeView, BoxTreeView or CellTreeView
/// @tparam kOverlap one of the tree's overlap tests
template <class Tree, Overlap kOverlap = Overlap::kSatLite>
class Contacts {
    static_assert(Tree::has(kOverlap), "this tree has no such overlap test");

  public:
    /// Starts a query. Fails with kNoTree (a part has no such tree) or kInvalidArgument (pose, or a null
    /// buffer with capacity); the verdict is then kUnresolved and `step` does nothing.
    /// @param pose     B in A's source frame
    /// @param buffer   receives the contacts, in no particular order but always the same; may be null
    /// @param capacity contacts that fit
    Status begin(const ShapeView& a, const ShapeView& b, const Pose& pose, Contact* buffer,
                 std::size_t capacity);

    /// Works until every contact was found (kColliding or kDisjoint) or the budget is spent (kUnresolved).
    Verdict step(const Budget& budget = Budget());

    Verdict verdict() const;  ///< what is known by now
    /// Contacts found so far, also those that did not fit.
    std::uint64_t count() const;
    /// kBufferFull when some did not fit.
    Status status() const;
    const Counters& counters() const;  ///< work done since `begin`

  private:
    alignas(16) unsigned char state_[Tree::contact_bytes(kOverlap)];
};

}  // namespace espalier
