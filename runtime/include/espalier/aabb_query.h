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

}  // namespace espalier
