// SPDX-License-Identifier: MIT
// Queries of one part: ray cast, closest point, inside. Objects in caller memory, resumable like the pair
// queries. Points and directions are in the part's source frame.
#pragma once

#include "espalier/asset.h"
#include "espalier/query.h"

namespace espalier {

struct Ray {
    double origin[3] = {0, 0, 0};
    double direction[3] = {0, 0, 1};  ///< any length but zero; `t` counts in it
    double max_t = __builtin_huge_val();
};

enum class RayMode : std::uint32_t { kFirst = 0, kAny = 1 };

struct RayHit {
    std::uint32_t triangle = 0;
    double t = 0;  ///< hit = origin + t * direction
    double point[3] = {0, 0, 0};
    double normal[3] = {0, 0, 0};  ///< unit, by the triangle's orientation
};

/// Where does a ray meet a part? Triangles are closed and have no back side; one that the ray only grazes
/// along its plane is not hit, but its neighbours' edges are.
class AabbRayCast {
  public:
    AabbRayCast() = default;
    AabbRayCast(const AabbRayCast&) = delete;  // a running query points into itself
    AabbRayCast& operator=(const AabbRayCast&) = delete;

    /// Fails with kNoTree or kInvalidArgument (not finite, zero direction, negative max_t).
    Status begin(const PartView& part, const Ray& ray, RayMode mode = RayMode::kFirst);
    /// kColliding: hit() is the first (or, with kAny, some) hit. kDisjoint: none. kUnresolved: budget spent.
    Verdict step(const Budget& budget = Budget());
    Verdict verdict() const;
    /// Precondition: verdict() == kColliding.
    const RayHit& hit() const;
    const Counters& counters() const;

  private:
    alignas(16) unsigned char state_[3584];
};

struct ClosestPoint {
    std::uint32_t triangle = 0;
    double distance = 0;
    double point[3] = {0, 0, 0};
};

/// Which point of a part is nearest to a point?
class AabbClosestPoint {
  public:
    AabbClosestPoint() = default;
    AabbClosestPoint(const AabbClosestPoint&) = delete;
    AabbClosestPoint& operator=(const AabbClosestPoint&) = delete;

    /// Fails with kNoTree or kInvalidArgument (not finite, negative limit).
    /// @param limit only points up to this distance are sought
    Status begin(const PartView& part, const double point[3], double limit = __builtin_huge_val());
    /// kColliding: closest() is the nearest. kDisjoint: nothing within the limit. kUnresolved: budget spent.
    Verdict step(const Budget& budget = Budget());
    Verdict verdict() const;
    /// The nearest found so far. Precondition: verdict() == kColliding.
    const ClosestPoint& closest() const;
    const Counters& counters() const;

  private:
    alignas(16) unsigned char state_[3584];
};

/// Is a point inside a closed part? Points on the surface are inside. Inside means that the surface winds
/// around the point, so nested and overlapping closed pieces work, whichever way they face.
class AabbInside {
  public:
    AabbInside() = default;
    AabbInside(const AabbInside&) = delete;
    AabbInside& operator=(const AabbInside&) = delete;

    /// Fails with kNoTree, kInvalidArgument (not finite) or kNotClosed.
    Status begin(const PartView& part, const double point[3]);
    /// kColliding: inside. kDisjoint: outside. kUnresolved: budget spent.
    Verdict step(const Budget& budget = Budget());
    Verdict verdict() const;
    const Counters& counters() const;

  private:
    alignas(16) unsigned char state_[3584];
};

}  // namespace espalier
