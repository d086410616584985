// SPDX-License-Identifier: MIT
// Queries on cell trees (Zachmann 1997, the first BoxTree): raw soups of triangles, witnesses of an edge and
// a polygon, and a walk that takes the caller's own operation on pairs of leaves. Each is an object in caller
// memory: `begin`, then `step` until the verdict is no longer kUnresolved. No heap, no globals; one object
// serves any number of queries in turn. The parts given to `begin` are copied as views: their bytes must
// outlive the query. A step may exceed its budget by the tests of one visit: at most 4 pairs of cells, or one
// pair of leaves.
#pragma once

#include <cstddef>

#include "espalier/aabb_query.h"
#include "espalier/asset.h"
#include "espalier/pose.h"
#include "espalier/query.h"

namespace espalier {

/// Whether two cells overlap. The tests differ in cost and in how often they let cells pass that are apart;
/// the answer of a query is the same for all. A program that names one links only that one.
enum class CellOverlap : std::uint32_t {
    kClip,     ///< the paper's: the families of parallel edges of each cell clipped by the other, products
               ///< reused
    kAxis,     ///< B's cells enclosed along A's axes
    kSat,      ///< separating axes: all 15 intervals
    kSatLite,  ///< enclosures in both frames: 6 intervals; the fastest measured
};

/// Bytes of a query's state: the test decides what a cell carries.
constexpr std::size_t cell_state_bytes(CellOverlap overlap) {
    return overlap == CellOverlap::kClip ? 43008 : overlap == CellOverlap::kSat ? 33792 : 16384;
}

/// A leaf cell: what it lists, and where it is in its part's stored coordinates (without the origin).
struct CellLeaf {
    const std::uint32_t* triangles = nullptr;
    std::uint32_t triangle_count = 0;
    const std::uint32_t* edges = nullptr;  ///< 3 * triangle + corner at which the edge begins
    std::uint32_t edge_count = 0;
    float lo[3] = {0, 0, 0};
    float hi[3] = {0, 0, 0};
};

/// Two leaves that may meet, or be as near as the walk's reach.
struct CellPair {
    CellLeaf a, b;
};

/// Where a walk stands after `next`.
enum class CellEvent : std::uint32_t { kLeafPair, kExhausted, kBudgetSpent };

/// The simultaneous traversal of two cell trees with an operation of the caller's on every pair of leaves
/// that overlap ("elementary operation" in the paper). Pairs with an empty cell never come up.
///
///     CellWalk<> walk;
///     walk.begin(a, b, pose);
///     std::uint64_t pairs = 0;
///     walk.step([&](const CellPair&) { ++pairs; return false; });
template <CellOverlap kOverlap = CellOverlap::kSatLite>
class CellWalk {
  public:
    /// Starts a walk. Fails with kNoTree (a part has no cell tree) or kInvalidArgument (pose, or a reach that
    /// is negative or not finite); `step` then does nothing and returns kUnresolved.
    /// @param pose  B in A's source frame
    /// @param reach pairs of cells up to this far apart come up as well (a safety distance); never too few,
    /// but
    ///              some that are farther apart do too
    Status begin(const PartView& a, const PartView& b, const Pose& pose, double reach = 0);

    /// Gives pairs of leaves to `operation(const CellPair&)`, those that overlap most first, until it returns
    /// true (kColliding), there are no more (kDisjoint) or the budget is spent (kUnresolved; a further step
    /// goes on behind the last pair).
    template <class Operation>
    Verdict step(Operation&& operation, const Budget& budget = Budget()) {
        if (verdict() != Verdict::kUnresolved) return verdict();
        const std::uint64_t limit = node_test_limit(budget);
        for (;;) {
            const CellEvent event = next(budget, limit);
            if (event == CellEvent::kBudgetSpent) return Verdict::kUnresolved;
            if (event == CellEvent::kExhausted) return verdict();
            if (operation(pair())) return stop();
        }
    }

    /// The pieces of `step`, for callers who bring their own loop: goes on to the next pair of leaves, unless
    /// as many node tests were done as `limit` (from `node_test_limit`) or the budget's clock has expired.
    CellEvent next(const Budget& budget, std::uint64_t limit);
    std::uint64_t node_test_limit(const Budget& budget) const;
    /// The current pair. Precondition: `next` returned kLeafPair.
    CellPair pair() const;
    /// Ends the walk with the verdict kColliding.
    Verdict stop();

    /// Lets only pairs up to this far apart come up from now on; never more than before. For operations that
    /// learn how far matters.
    void set_reach(double reach);

    Verdict verdict() const;
    const Counters& counters() const;

    /// Distance of a triangle of A and one of B where the pose puts them; 0 when they touch. The points that
    /// attain it, in A's source frame, when not null.
    double triangle_distance(std::uint32_t triangle_a, std::uint32_t triangle_b, double* point_a = nullptr,
                             double* point_b = nullptr) const;

  private:
    alignas(16) unsigned char state_[cell_state_bytes(kOverlap)];
};

/// An edge of one part that meets a polygon of the other.
struct CellWitness {
    std::uint32_t edge_side = 0;      ///< 0: the edge is A's and the polygon B's; 1: the other way round
    std::uint32_t edge_triangle = 0;  ///< a triangle with the edge,
    std::uint32_t edge_corner = 0;    ///< and its corner at which the edge begins; it ends at the next
    std::uint32_t triangle = 0;       ///< the polygon
    double point[3] = {0, 0, 0};      ///< a point of both, to double rounding, in A's source frame
    double normal[3] = {0, 0, 0};     ///< unit normal of the polygon, in A's frame
};

/// Do two parts touch? Finds one witness.
template <CellOverlap kOverlap = CellOverlap::kSatLite>
class CellCollide {
  public:
    /// Starts a query; fails as CellWalk::begin does.
    Status begin(const PartView& a, const PartView& b, const Pose& pose);
    /// Works until the verdict is known or the budget is spent; returns the verdict.
    Verdict step(const Budget& budget = Budget());
    Verdict verdict() const;
    /// The witness found. Precondition: verdict() == kColliding.
    const CellWitness& witness() const;
    const Counters& counters() const;

  private:
    alignas(16) unsigned char state_[cell_state_bytes(kOverlap)];
};

/// All witnesses of two parts, each once, into a caller's buffer.
template <CellOverlap kOverlap = CellOverlap::kSatLite>
class CellWitnesses {
  public:
    /// Starts a query; fails as CellWalk::begin does, or with kInvalidArgument for a null buffer with
    /// capacity.
    /// @param buffer   receives the witnesses, in no particular order but always the same; may be null
    /// @param capacity witnesses that fit
    Status begin(const PartView& a, const PartView& b, const Pose& pose, CellWitness* buffer,
                 std::size_t capacity);
    /// Works until every witness was found (kColliding or kDisjoint) or the budget is spent (kUnresolved).
    Verdict step(const Budget& budget = Budget());
    Verdict verdict() const;
    /// Witnesses found so far, also those that did not fit.
    std::uint64_t count() const;
    /// kBufferFull when some did not fit.
    Status status() const;
    /// `triangle_tests` counts pairs of an edge and a polygon.
    const Counters& counters() const;

  private:
    alignas(16) unsigned char state_[cell_state_bytes(kOverlap)];
};

/// All pairs of triangles that touch, each once: what AabbContacts and BoxContacts find.
template <CellOverlap kOverlap = CellOverlap::kSatLite>
class CellContacts {
  public:
    /// As CellWitnesses.
    Status begin(const PartView& a, const PartView& b, const Pose& pose, Contact* buffer,
                 std::size_t capacity);
    Verdict step(const Budget& budget = Budget());
    Verdict verdict() const;
    std::uint64_t count() const;
    Status status() const;
    const Counters& counters() const;

  private:
    alignas(16) unsigned char state_[cell_state_bytes(kOverlap)];
};

/// How far apart are two parts? Exact to double rounding by default; 0 when they touch.
class CellDistance {
  public:
    /// Starts a query; fails as CellWalk::begin does, or with kInvalidArgument for a negative goal.
    Status begin(const PartView& a, const PartView& b, const Pose& pose,
                 const DistanceGoal& goal = DistanceGoal());

    /// Works until `done()` or the budget is spent. After every step lower() <= distance <= upper(), both
    /// monotone.
    Verdict step(const Budget& budget = Budget());

    /// Takes in a distance that was measured elsewhere (on another part of the same object, by another
    /// thread): only pairs that are nearer count from now on, and lower() bounds the lesser of the two
    /// distances.
    void tighten(double distance);

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
