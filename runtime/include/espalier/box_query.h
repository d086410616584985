// SPDX-License-Identifier: MIT
// Queries on box trees (Zachmann 2002). Each is an object in caller memory: `begin`, then `step` until the
// verdict is no longer kUnresolved. No heap, no globals; one object serves any number of queries in turn.
// The parts given to `begin` are copied as views: their bytes must outlive the query.
// A step may exceed its budget by the tests of one visit: at most 16 pairs of boxes, or one pair of leaves.
#pragma once

#include <cstddef>

#include "espalier/aabb_query.h"
#include "espalier/aabb_single.h"
#include "espalier/asset.h"
#include "espalier/pose.h"
#include "espalier/query.h"

namespace espalier {

/// The overlap tests of Zachmann 2002, section 3.2. They differ in cost and in how often they let boxes pass
/// that are apart; the answer of a query is the same for all. A program that names one links only that one.
enum class BoxOverlap : std::uint32_t {
    kAxis,     ///< axis alignment (3.2.1): B's boxes enclosed along A's axes
    kTable,    ///< the same with the products of plane distances and axes from tables (3.2.2)
    kSat,      ///< separating axes (3.2.3): all 15 intervals
    kSatLite,  ///< axis alignment in both frames (3.2.4): 6 intervals; the fastest measured
};

/// Bytes of a query's state: the test decides how many intervals a box carries.
constexpr std::size_t box_state_bytes(BoxOverlap overlap) {
    return overlap == BoxOverlap::kSat ? 26624 : overlap == BoxOverlap::kTable ? 19200 : 14592;
}

/// Do two parts touch? Finds one contact.
template <BoxOverlap kOverlap = BoxOverlap::kSatLite>
class BoxCollide {
  public:
    /// Starts a query. Fails with kNoTree (a part has no box tree) or kInvalidArgument (pose); the verdict is
    /// then kUnresolved and `step` does nothing.
    /// @param pose B in A's source frame
    /// @param cue  null, or this pair's memory; read here, written on a contact. Must outlive the query.
    Status begin(const PartView& a, const PartView& b, const Pose& pose, Cue* cue = nullptr);

    /// Works until the verdict is known or the budget is spent; returns the verdict.
    Verdict step(const Budget& budget = Budget());

    Verdict verdict() const;
    /// The contact found. Precondition: verdict() == kColliding.
    const Contact& contact() const;
    const Counters& counters() const;

  private:
    alignas(16) unsigned char state_[box_state_bytes(kOverlap)];
};

/// All contacts of two parts, into a caller's buffer.
template <BoxOverlap kOverlap = BoxOverlap::kSatLite>
class BoxContacts {
  public:
    /// Starts a query; fails as BoxCollide::begin does, or with kInvalidArgument for a null buffer with
    /// capacity.
    /// @param buffer   receives the contacts, in no particular order but always the same; may be null
    /// @param capacity contacts that fit
    Status begin(const PartView& a, const PartView& b, const Pose& pose, Contact* buffer,
                 std::size_t capacity);

    /// Works until every contact was found (kColliding or kDisjoint) or the budget is spent (kUnresolved).
    Verdict step(const Budget& budget = Budget());

    Verdict verdict() const;
    /// Contacts found so far, also those that did not fit.
    std::uint64_t count() const;
    /// kBufferFull when some did not fit.
    Status status() const;
    const Counters& counters() const;

  private:
    alignas(16) unsigned char state_[box_state_bytes(kOverlap)];
};

/// How far apart are two parts? Exact to double rounding by default; 0 when they touch.
class BoxDistance {
  public:
    /// Starts a query; fails as BoxCollide::begin does, or with kInvalidArgument for a negative goal.
    Status begin(const PartView& a, const PartView& b, const Pose& pose,
                 const DistanceGoal& goal = DistanceGoal());

    /// Works until `done()` or the budget is spent. After every step lower() <= distance <= upper(), both
    /// monotone.
    Verdict step(const Budget& budget = Budget());

    /// kColliding: upper() is 0. kDisjoint: lower() is above 0. kUnresolved: neither is known yet.
    Verdict verdict() const;
    /// The goal is reached: the distance is upper() (up to the tolerance), or it is above goal.within.
    bool done() const;
    double lower() const;
    /// Infinite until a first pair of triangles was measured.
    double upper() const;
    /// The pair that attains upper(). Precondition: upper() is finite.
    ClosestPair closest() const;
    const Counters& counters() const;

  private:
    alignas(16) unsigned char state_[17408];
};

/// Where does a ray meet a part? As AabbRayCast; the paper names this use as future work (section 6.1).
class BoxRayCast {
  public:
    /// Fails with kNoTree or kInvalidArgument (not finite, zero direction, negative max_t).
    Status begin(const PartView& part, const Ray& ray, RayMode mode = RayMode::kFirst);
    /// kColliding: hit() is the first (or, with kAny, some) hit. kDisjoint: none. kUnresolved: budget spent.
    Verdict step(const Budget& budget = Budget());
    Verdict verdict() const;
    /// Precondition: verdict() == kColliding.
    const RayHit& hit() const;
    const Counters& counters() const;

  private:
    alignas(16) unsigned char state_[4608];
};

}  // namespace espalier
