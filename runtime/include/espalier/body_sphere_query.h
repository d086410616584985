// SPDX-License-Identifier: MIT
// Time-critical queries of bodies on sphere trees (Hubbard 1996, sections 2, 3.2 and 7): one budget for all
// pairs of parts; stop after any step and what was reached is a true statement about the whole bodies. No
// heap, no globals.
//
// Pairs of parts that matter are refined by queries as in sphere_query.h, in slots that the caller gives. The
// others count with the boxes and root spheres about them: lower() is the least of the lower bounds of all
// pairs, upper() the least of the upper bounds. The next turn is that of the pair that holds the bounds
// apart: the one with the least lower bound, and among those that may touch the one with the least upper
// bound. Pairs whose lower bound is above upper() cannot matter and are dropped. A pair that loses its slot
// to another keeps the bounds it had; when its turn comes again it starts at its roots with a longer turn
// than before, so that few slots cost time and never an answer.
//
// The bounds are those of sphere_query.h, whose conditions hold here for each pair: lower() of parts without
// proved coverage comes from their boxes alone.
#pragma once

#include <cstddef>
#include <cstdint>

#include "espalier/body.h"
#include "espalier/body_distance.h"
#include "espalier/sphere_query.h"

namespace espalier {

/// What a time-critical query of bodies is after.
struct BodySphereOptions {
    SphereQueryOptions pair;   ///< of every pair of parts; the goal is that of the bodies
    std::uint32_t slice = 64;  ///< node tests that a pair gets before the next turn is given
};

/// What a query may take of the caller's memory.
struct BodySphereCapacity {
    std::uint32_t slots = 8;         ///< pairs of parts that are refined at a time: 1 to 4096
    std::uint32_t open_pairs = 256;  ///< of spheres, in each slot: at least SphereQueryBase::kLeastCapacity
    /// Pairs of parts, or of groups of them, that are known apart: at least 160. Any number gives true bounds
    /// and the same answer: a table that is nearly full is refined depth first, which is slower to sharpen
    /// the bounds.
    std::uint32_t part_pairs = 512;
};

/// The separation of two bodies, or of the parts of one, with bounds at any time. Use BodySphereQuery, which
/// brings its own memory, or this with memory of any size.
class BodySphereQueryBase {
  public:
    BodySphereQueryBase() = default;

    /// Bytes that `begin` needs: for each slot below 4800 and 16 for each open pair, 32 for each pair of
    /// parts; 0 for a capacity out of range.
    static std::size_t memory_size(const BodySphereCapacity& capacity);

    /// Starts a query of all parts of A against all of B. Fails with kNoTree (a shape has no sphere tree) or
    /// kInvalidArgument (a body not begun, pose, options, capacity, memory null, not 16-byte aligned or too
    /// small); the verdict is then kUnresolved and `step` does nothing.
    /// @param pose   B's frame in A's; scale 1
    /// @param memory must outlive the query and belongs to it alone
    Status begin(const Body& a, const Body& b, const Pose& pose, const BodySphereOptions& options,
                 const BodySphereCapacity& capacity, void* memory, std::size_t size);

    /// Starts a query of all pairs of different parts of one body, except those that its asset lists. Fails
    /// likewise. Without a pair to test the separation is infinite.
    Status begin_self(const Body& body, const BodySphereOptions& options, const BodySphereCapacity& capacity,
                      void* memory, std::size_t size);

    /// The same bodies a frame later, after their poses were set: bounds start anew, but the pairs that have
    /// slots go on from their last fronts (SphereQueryBase::advance), and the parts that were nearest come
    /// first. Never changes an answer. Fails with kInvalidArgument (pose, or no query was begun).
    /// @param pose B's frame in A's; the identity for one body with itself
    Status advance(const Pose& pose = Pose());

    /// Works until `done()` or the budget is spent; returns the verdict. May exceed the budget by one visit.
    Verdict step(const Budget& budget = Budget());

    /// kColliding: upper() is 0. kDisjoint: lower() is above 0. kUnresolved: neither is known yet; the
    /// cautious count it as a hit.
    Verdict verdict() const;
    /// Nothing is left to refine: the goal is reached, or there is no more to know.
    bool done() const;
    double lower() const;  ///< the separation is at least this
    double upper() const;  ///< the separation is at most this

    /// The parts that upper() comes from, if single parts and not groups of them proved it; false otherwise.
    bool nearest(std::uint32_t* part_a, std::uint32_t* part_b) const;
    /// The triangles that attain upper(), in A's frame, if it comes from triangles; false otherwise.
    bool closest(BodyClosestPair* pair) const;
    /// Pairs of parts or of groups of them that are known apart now and may still matter.
    std::uint32_t active_pairs() const;
    /// Of them, those in slots.
    std::uint32_t started_pairs() const;
    const Counters& counters() const;  ///< work done since `begin` or `advance`

  protected:
    /// Two queries in the same memory would spoil each other's: only BodySphereQuery, which has its own, is
    /// copied.
    BodySphereQueryBase(const BodySphereQueryBase&) = default;
    BodySphereQueryBase& operator=(const BodySphereQueryBase&) = default;  ///< the same

  private:
    alignas(16) unsigned char state_[1024];
    bool begun_ = false;
};

/// A query with its own memory. A copy of it goes on by itself.
template <std::uint32_t kSlots = 8, std::uint32_t kOpenPairs = 256, std::uint32_t kPartPairs = 512>
class BodySphereQuery : public BodySphereQueryBase {
  public:
    /// As BodySphereQueryBase::begin.
    Status begin(const Body& a, const Body& b, const Pose& pose = Pose(),
                 const BodySphereOptions& options = BodySphereOptions()) {
        return BodySphereQueryBase::begin(a, b, pose, options, capacity(), memory_, sizeof(memory_));
    }

    /// As BodySphereQueryBase::begin_self.
    Status begin_self(const Body& body, const BodySphereOptions& options = BodySphereOptions()) {
        return BodySphereQueryBase::begin_self(body, options, capacity(), memory_, sizeof(memory_));
    }

  private:
    static BodySphereCapacity capacity() { return BodySphereCapacity{kSlots, kOpenPairs, kPartPairs}; }

    // Right behind the base, where its `begin` knows it for the query's own.
    alignas(16) unsigned char memory_[std::size_t{kSlots} * (4800 + 16 * std::size_t{kOpenPairs}) +
                                      std::size_t{32} * kPartPairs];
};

}  // namespace espalier
