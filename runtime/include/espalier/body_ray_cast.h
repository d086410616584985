// SPDX-License-Identifier: MIT
// Where does a ray meet a body? On aabb and box trees.
// Each is an object in caller memory: `begin`, then `step` until the verdict is no longer kUnresolved. No
// heap, no globals; one object serves any number of queries in turn, and a copy of it goes on by itself. The
// body, which `begin` copies as a view, must outlive the query, and no poses be set until it ends.
#pragma once

#include <cstddef>

#include "espalier/body.h"
#include "espalier/query.h"

namespace espalier {

/// Where a ray meets a body: a triangle of the part's mesh, point and normal in the body's frame.
struct BodyRayHit {
    std::uint32_t part = 0;  ///< of the body
    RayHit hit;              ///< of the part
};

/// Where does a ray meet a body? Triangles are as RayCast has them.
/// @tparam Tree AabbTreeView or BoxTreeView
template <class Tree>
class BodyRayCast {
  public:
    /// Fails with kNoTree (a shape has no such tree) or kInvalidArgument (a body not begun; a ray not finite,
    /// with a zero direction or negative max_t); the verdict is then kUnresolved and `step` does nothing.
    /// @param ray in the body's frame
    Status begin(const Body& body, const Ray& ray, RayMode mode = RayMode::kFirst);
    /// kColliding: hit() is the first (or, with kAny, some) hit. kDisjoint: none. kUnresolved: budget spent.
    Verdict step(const Budget& budget = Budget());
    Verdict verdict() const;  ///< what is known by now
    /// Precondition: verdict() == kColliding.
    const BodyRayHit& hit() const;
    const Counters& counters() const;  ///< work done since `begin`

  private:
    alignas(16) unsigned char state_[kBodySearchBytes + Tree::kRayBytes];
};

}  // namespace espalier
