// SPDX-License-Identifier: MIT
// How far apart are two bodies, or the parts of one? On aabb, box and cell trees; time-critical answers:
// body_sphere_query.h.
// Each is an object in caller memory: `begin` or `begin_self`, then `step` until the verdict is no longer
// kUnresolved. No heap, no globals; one object serves any number of queries in turn, and a copy of it goes on
// by itself. The bodies, which `begin` copies as views, must outlive the query, and no poses be set until it
// ends.
#pragma once

#include <cstddef>

#include "espalier/body.h"
#include "espalier/query.h"

namespace espalier {

/// The nearest two points of two bodies, in the frame of body A.
using BodyClosestPair = OfParts<ClosestPair>;

/// How far apart are two bodies? Exact to double rounding by default; 0 when they touch. With `goal.within`
/// only whether the distance is below a limit. A step may exceed its budget by the tests of one visit: at
/// most 16 pairs of boxes, or one pair of leaves.
/// @tparam Tree AabbTreeView, BoxTreeView or CellTreeView
template <class Tree>
class BodyDistance {
  public:
    /// Starts a query of all parts of A against all of B. Fails with kNoTree (a shape has no such tree) or
    /// kInvalidArgument (a body not begun, pose, or a negative goal); the verdict is then kUnresolved and
    /// `step` does nothing.
    /// @param pose B's frame in A's; scale 1
    Status begin(const Body& a, const Body& b, const Pose& pose = Pose(),
                 const DistanceGoal& goal = DistanceGoal());

    /// Starts a query of all pairs of different parts of one body, except those that its asset lists. Fails
    /// likewise. In the answer, part_a < part_b. Without a pair to test the distance is infinite.
    Status begin_self(const Body& body, const DistanceGoal& goal = DistanceGoal());

    /// Works until `done()` or the budget is spent. After every step lower() <= distance <= upper(), both
    /// monotone.
    Verdict step(const Budget& budget = Budget());

    /// Takes in a distance that was measured elsewhere, as Distance::tighten.
    void tighten(double distance);

    /// kColliding: upper() is 0. kDisjoint: lower() is above 0. kUnresolved: neither is known yet.
    Verdict verdict() const;
    /// The goal is reached: the distance is upper() (up to the tolerance), or it is above goal.within.
    bool done() const;
    double lower() const;  ///< the separation is at least this
    /// Infinite until a first pair of triangles was measured.
    double upper() const;
    /// The pair that attains upper(). Precondition: upper() is finite.
    const BodyClosestPair& closest() const;
    const Counters& counters() const;  ///< work done since `begin`

  private:
    alignas(16) unsigned char state_[kBodyWalkBytes + Tree::kDistanceBytes];
};

}  // namespace espalier
