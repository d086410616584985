// SPDX-License-Identifier: MIT
// A point and a body: the nearest point of the body, and whether the point is inside a part. Points are in
// the body's frame.
// Each is an object in caller memory: `begin`, then `step` until the verdict is no longer kUnresolved. No
// heap, no globals; one object serves any number of queries in turn, and a copy of it goes on by itself. The
// body, which `begin` copies as a view, must outlive the query, and no poses be set until it ends.
#pragma once

#include <cstddef>

#include "espalier/body.h"
#include "espalier/point.h"
#include "espalier/query.h"

namespace espalier {

/// The point of a body that is nearest to another, in the body's frame.
struct BodyClosestPoint {
    std::uint32_t part = 0;  ///< of the body
    ClosestPoint closest;    ///< of the part
};

/// Which point of a body is nearest to a point? On the parts' aabb trees.
class BodyClosestPointQuery {
  public:
    /// Fails with kNoTree (a shape has no aabb tree) or kInvalidArgument (a body not begun, null, not finite,
    /// negative limit).
    /// @param limit only points up to this distance are sought
    Status begin(const Body& body, const double point[3], double limit = __builtin_huge_val());
    /// kColliding: closest() is the nearest. kDisjoint: nothing within the limit. kUnresolved: budget spent.
    Verdict step(const Budget& budget = Budget());
    Verdict verdict() const;  ///< what is known by now
    /// The nearest. Precondition: verdict() == kColliding.
    const BodyClosestPoint& closest() const;
    const Counters& counters() const;  ///< work done since `begin`

  private:
    alignas(16) unsigned char state_[kBodySearchBytes + sizeof(ClosestPointQuery)];
};

/// Is a point inside a closed part of a body? On the parts' aabb trees, as InsideQuery has it; parts that are
/// not closed have no inside and are passed over.
class BodyInsideQuery {
  public:
    /// Fails with kNoTree (a shape has no aabb tree), kInvalidArgument (a body not begun, null, not finite)
    /// or kNotClosed (no part is).
    Status begin(const Body& body, const double point[3]);
    /// kColliding: inside. kDisjoint: outside of all closed parts. kUnresolved: budget spent.
    Verdict step(const Budget& budget = Budget());
    Verdict verdict() const;  ///< what is known by now
    /// A part that the point is inside of. Precondition: verdict() == kColliding.
    std::uint32_t part() const;
    const Counters& counters() const;  ///< work done since `begin`

  private:
    alignas(16) unsigned char state_[kBodySearchBytes + sizeof(InsideQuery)];
};

}  // namespace espalier
