// SPDX-License-Identifier: MIT
// A point and a part: the nearest point of the part, and whether the point is inside. Points are in the
// part's source frame.
// Each is an object in caller memory: `begin`, then `step` until the verdict is no longer kUnresolved. No
// heap, no globals; one object serves any number of queries in turn, and a copy of it goes on by itself. The
// parts given to `begin` are copied as views: their bytes must outlive the query.
#pragma once

#include "espalier/asset.h"
#include "espalier/query.h"

namespace espalier {

/// Which point of a part is nearest to a point? On the part's aabb tree.
class ClosestPointQuery {
  public:
    /// Fails with kNoTree or kInvalidArgument (not finite, negative limit).
    /// @param limit only points up to this distance are sought
    Status begin(const ShapeView& part, const double point[3], double limit = __builtin_huge_val());
    /// kColliding: closest() is the nearest. kDisjoint: nothing within the limit. kUnresolved: budget spent.
    Verdict step(const Budget& budget = Budget());
    Verdict verdict() const;  ///< what is known by now
    /// The nearest found so far. Precondition: verdict() == kColliding.
    const ClosestPoint& closest() const;
    const Counters& counters() const;  ///< work done since `begin`

  private:
    alignas(16) unsigned char state_[3584];
};

/// Is a point inside a closed part? On the part's aabb tree. Points on the surface are inside. Inside means
/// that the surface winds around the point, so nested and overlapping closed pieces work, whichever way they
/// face.
class InsideQuery {
  public:
    /// Fails with kNoTree, kInvalidArgument (not finite) or kNotClosed.
    Status begin(const ShapeView& part, const double point[3]);
    /// kColliding: inside. kDisjoint: outside. kUnresolved: budget spent.
    Verdict step(const Budget& budget = Budget());
    Verdict verdict() const;           ///< what is known by now
    const Counters& counters() const;  ///< work done since `begin`

  private:
    alignas(16) unsigned char state_[3584];
};

}  // namespace espalier
