// SPDX-License-Identifier: MIT
// How far apart are two parts? On aabb, box and cell trees; time-critical answers: sphere_query.h.
// Each is an object in caller memory: `begin`, then `step` until the verdict is no longer kUnresolved. No
// heap, no globals; one object serves any number of queries in turn, and a copy of it goes on by itself. The
// parts given to `begin` are copied as views: their bytes must outlive the query.
#pragma once

#include "espalier/asset.h"
#include "espalier/pose.h"
#include "espalier/query.h"

namespace espalier {

/// How far apart are two parts? Exact to double rounding by default; 0 when they touch. A step may exceed its
/// budget by the tests of one visit: at most 16 pairs of boxes, or one pair of leaves.
/// @tparam Tree AabbTreeView, BoxTreeView or CellTreeView
template <class Tree>
class Distance {
  public:
    /// Starts a query. Fails with kNoTree (a part has no such tree) or kInvalidArgument (pose, or a negative
    /// goal); the verdict is then kUnresolved and `step` does nothing.
    /// @param pose B in A's source frame
    Status begin(const ShapeView& a, const ShapeView& b, const Pose& pose,
                 const DistanceGoal& goal = DistanceGoal());

    /// Works until `done()` or the budget is spent. After every step lower() <= distance <= upper(), both
    /// monotone.
    Verdict step(const Budget& budget = Budget());

    /// Takes in a distance that was measured elsewhere (on another part of the same object, by another
    /// thread): only pairs that are nearer count from now on, and lower() bounds the lesser of the two
    /// distances. Not a number, negative or larger than one told before: nothing happens.
    void tighten(double distance);

    /// kColliding: upper() is 0. kDisjoint: lower() is above 0. kUnresolved: neither is known yet.
    Verdict verdict() const;
    /// The goal is reached: the distance is upper() (up to the tolerance), or it is above goal.within.
    bool done() const;
    double lower() const;  ///< the separation is at least this
    /// Infinite until a first pair of triangles was measured.
    double upper() const;
    /// The pair that attains upper(). Precondition: upper() is finite.
    ClosestPair closest() const;
    const Counters& counters() const;  ///< work done since `begin`

  private:
    alignas(16) unsigned char state_[Tree::kDistanceBytes];
};

}  // namespace espalier
