// SPDX-License-Identifier: MIT
// Where does a ray meet a part? On aabb and box trees (Zachmann 2002 names it as future work, section 6.1).
// Each is an object in caller memory: `begin`, then `step` until the verdict is no longer kUnresolved. No
// heap, no globals; one object serves any number of queries in turn, and a copy of it goes on by itself. The
// parts given to `begin` are copied as views: their bytes must outlive the query.
#pragma once

#include "espalier/asset.h"
#include "espalier/query.h"

namespace espalier {

/// Where does a ray meet a part? Triangles are closed and have no back side; one that the ray only grazes
/// along its plane is not hit, but its neighbours' edges are.
/// @tparam Tree AabbTreeView or BoxTreeView
template <class Tree>
class RayCast {
  public:
    /// Fails with kNoTree or kInvalidArgument (not finite, zero direction, negative max_t); the verdict is
    /// then kUnresolved and `step` does nothing.
    Status begin(const ShapeView& part, const Ray& ray, RayMode mode = RayMode::kFirst);
    /// kColliding: hit() is the first (or, with kAny, some) hit. kDisjoint: none. kUnresolved: budget spent.
    Verdict step(const Budget& budget = Budget());
    Verdict verdict() const;  ///< what is known by now
    /// Precondition: verdict() == kColliding.
    const RayHit& hit() const;
    const Counters& counters() const;  ///< work done since `begin`

  private:
    alignas(16) unsigned char state_[Tree::kRayBytes];
};

}  // namespace espalier
