// SPDX-License-Identifier: MIT
// Do two parts touch? First contact on aabb (van den Bergen 1998), box (Zachmann 2002) and cell trees
// (Zachmann 1997).
// Each is an object in caller memory: `begin`, then `step` until the verdict is no longer kUnresolved. No
// heap, no globals; one object serves any number of queries in turn, and a copy of it goes on by itself. The
// parts given to `begin` are copied as views: their bytes must outlive the query.
#pragma once

#include <cstddef>

#include "espalier/asset.h"
#include "espalier/pose.h"
#include "espalier/query.h"

namespace espalier {

/// Do two parts touch? Finds one contact. A step may exceed its budget by the tests of one visit: at most 16
/// pairs of boxes, or one pair of leaves.
/// @tparam Tree     AabbTreeView, BoxTreeView or CellTreeView
/// @tparam kOverlap one of the tree's overlap tests
template <class Tree, Overlap kOverlap = Overlap::kSatLite>
class Collide {
    static_assert(Tree::has(kOverlap), "this tree has no such overlap test");

  public:
    /// Starts a query. Fails with kNoTree (a part has no such tree) or kInvalidArgument (pose); the verdict
    /// is then kUnresolved and `step` does nothing.
    /// @param pose B in A's source frame
    /// @param cue  null, or this pair's memory; read here, written on a contact. Must outlive the query.
    Status begin(const ShapeView& a, const ShapeView& b, const Pose& pose, Cue* cue = nullptr);

    /// Works until the verdict is known or the budget is spent; returns the verdict.
    Verdict step(const Budget& budget = Budget());

    Verdict verdict() const;  ///< what is known by now
    /// The contact found: a Contact, or a CellWitness on cell trees. Precondition: verdict() == kColliding.
    const typename Tree::Found& contact() const;
    const Counters& counters() const;  ///< work done since `begin`

  private:
    alignas(16) unsigned char state_[Tree::contact_bytes(kOverlap)];
};

}  // namespace espalier
