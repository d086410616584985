// SPDX-License-Identifier: MIT
// Queries on aabb trees (van den Bergen 1998). Each is an object in caller memory: `begin`, then `step` until
// the verdict is no longer kUnresolved. No heap, no globals; one object serves any number of queries in turn.
// The parts given to `begin` are copied as views: their bytes must outlive the query.
#pragma once

#include <cstddef>

#include "espalier/asset.h"
#include "espalier/pose.h"
#include "espalier/query.h"

namespace espalier {

/// Remembers the witness of the last contact of a pair; the next query tests it first. Zero-initialise it
/// once a pair and pass it every frame; it never changes an answer.
struct Cue {
    std::uint32_t triangle_a = 0;
    std::uint32_t triangle_b = 0;
    bool valid = false;
};

/// Do two parts touch? Finds one contact.
class AabbCollide {
  public:
    AabbCollide() = default;
    AabbCollide(const AabbCollide&) = delete;  // a running query points into itself
    AabbCollide& operator=(const AabbCollide&) = delete;

    /// Starts a query. Fails with kNoTree (a part has no aabb tree) or kInvalidArgument (pose); the verdict
    /// is then kUnresolved and `step` does nothing.
    /// @param pose    B in A's source frame
    /// @param overlap the box test; the answer is the same for all
    /// @param cue     null, or this pair's memory; read here, written on a contact. Must outlive the query.
    Status begin(const PartView& a, const PartView& b, const Pose& pose, Overlap overlap = Overlap::kSatLite,
                 Cue* cue = nullptr);

    /// Works until the verdict is known or the budget is spent; returns the verdict.
    Verdict step(const Budget& budget = Budget());

    Verdict verdict() const;
    /// The contact found. Precondition: verdict() == kColliding.
    const Contact& contact() const;
    const Counters& counters() const;

  private:
    alignas(16) unsigned char state_[15360];
};

/// All contacts of two parts, into a caller's buffer.
class AabbContacts {
  public:
    AabbContacts() = default;
    AabbContacts(const AabbContacts&) = delete;
    AabbContacts& operator=(const AabbContacts&) = delete;

    /// Starts a query; fails as AabbCollide::begin does, or with kInvalidArgument for a null buffer with
    /// capacity.
    /// @param buffer   receives the contacts, in no particular order but always the same; may be null
    /// @param capacity contacts that fit
    Status begin(const PartView& a, const PartView& b, const Pose& pose, Contact* buffer,
                 std::size_t capacity, Overlap overlap = Overlap::kSatLite);

    /// Works until every contact was found (kColliding or kDisjoint) or the budget is spent (kUnresolved).
    Verdict step(const Budget& budget = Budget());

    Verdict verdict() const;
    /// Contacts found so far, also those that did not fit.
    std::uint64_t count() const;
    /// kBufferFull when some did not fit.
    Status status() const;
    const Counters& counters() const;

  private:
    alignas(16) unsigned char state_[15360];
};

/// What a distance query is after.
struct DistanceGoal {
    /// Only distances up to this matter: the query ends as soon as it knows whether there is one (`within`).
    /// 0 asks whether the parts touch: colliding or disjoint, and of disjoint parts lower() may say no more
    /// than that, by the least normal number above 0.
    double within = __builtin_huge_val();
    /// The distance may be too large by this share of itself, and by this length: fewer nodes are visited.
    double relative_tolerance = 0;
    double absolute_tolerance = 0;
};

/// The nearest two points of two parts, in A's source frame.
struct ClosestPair {
    double distance = 0;
    std::uint32_t triangle_a = 0;
    std::uint32_t triangle_b = 0;
    double point_a[3] = {0, 0, 0};
    double point_b[3] = {0, 0, 0};
};

/// How far apart are two parts? Exact to double rounding by default; 0 when they touch.
class AabbDistance {
  public:
    AabbDistance() = default;
    AabbDistance(const AabbDistance&) = delete;
    AabbDistance& operator=(const AabbDistance&) = delete;

    /// Starts a query; fails as AabbCollide::begin does, or with kInvalidArgument for a negative goal.
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
    alignas(16) unsigned char state_[16384];
};

}  // namespace espalier
