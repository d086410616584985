// SPDX-License-Identifier: MIT
// Queries that only cell trees have (Zachmann 1997, the first BoxTree): a walk that takes the caller's
// own operation on pairs of leaves, and all witnesses of an edge and a polygon. Each is an object in caller
// memory: `begin`, then `step` until the verdict is no longer kUnresolved. No heap, no globals; one object
// serves any number of queries in turn, and a copy of it goes on by itself. The parts given to `begin` are
// copied as views: their bytes must outlive the query. A step may exceed its budget by the tests of one
// visit: at most 4 pairs of cells, or one pair of leaves.
#pragma once

#include <cstddef>

#include "espalier/asset.h"
#include "espalier/pose.h"
#include "espalier/query.h"

namespace espalier {

/// A leaf cell: what it lists, and where it is in its part's stored coordinates (without the origin).
struct CellLeaf {
    const std::uint32_t* triangles = nullptr;  ///< of the leaf's list
    std::uint32_t triangle_count = 0;          ///< number of triangles
    const std::uint32_t* edges = nullptr;      ///< 3 * triangle + corner at which the edge begins
    std::uint32_t edge_count = 0;              ///< length of that list
    float lo[3] = {0, 0, 0};                   ///< lower corner
    float hi[3] = {0, 0, 0};                   ///< upper corner
};

/// Two leaves that may meet, or be as near as the walk's reach.
struct CellPair {
    CellLeaf a;  ///< of A
    CellLeaf b;  ///< of B
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
template <Overlap kOverlap = Overlap::kSatLite>
class CellWalk {
    static_assert(CellTreeView::has(kOverlap), "cell trees have no such overlap test");

  public:
    /// Starts a walk. Fails with kNoTree (a part has no cell tree) or kInvalidArgument (pose, or a reach that
    /// is negative or not finite); `step` then does nothing and returns kUnresolved.
    /// @param pose  B in A's source frame
    /// @param reach pairs of cells up to this far apart come up as well (a safety distance); never too few,
    /// but
    ///              some that are farther apart do too
    Status begin(const ShapeView& a, const ShapeView& b, const Pose& pose, double reach = 0);

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
    /// The budget's, counted from the beginning of the query.
    std::uint64_t node_test_limit(const Budget& budget) const;
    /// The current pair. Precondition: `next` returned kLeafPair.
    CellPair pair() const;
    /// Ends the walk with the verdict kColliding.
    Verdict stop();

    /// Lets only pairs up to this far apart come up from now on; never more than before. For operations that
    /// learn how far matters.
    void set_reach(double reach);

    Verdict verdict() const;           ///< what is known by now
    const Counters& counters() const;  ///< work done since `begin`

    /// Distance of a triangle of A and one of B where the pose puts them; 0 when they touch. The points that
    /// attain it, in A's source frame, when not null.
    double triangle_distance(std::uint32_t triangle_a, std::uint32_t triangle_b, double* point_a = nullptr,
                             double* point_b = nullptr) const;

  private:
    alignas(16) unsigned char state_[CellTreeView::contact_bytes(kOverlap)];
};

/// All witnesses of two parts, each once, into a caller's buffer.
template <Overlap kOverlap = Overlap::kSatLite>
class CellWitnesses {
    static_assert(CellTreeView::has(kOverlap), "cell trees have no such overlap test");

  public:
    /// Starts a query; fails as CellWalk::begin does, or with kInvalidArgument for a null buffer with
    /// capacity.
    /// @param buffer   receives the witnesses, in no particular order but always the same; may be null
    /// @param capacity witnesses that fit
    Status begin(const ShapeView& a, const ShapeView& b, const Pose& pose, CellWitness* buffer,
                 std::size_t capacity);
    /// Works until every witness was found (kColliding or kDisjoint) or the budget is spent (kUnresolved).
    Verdict step(const Budget& budget = Budget());
    Verdict verdict() const;  ///< what is known by now
    /// Witnesses found so far, also those that did not fit.
    std::uint64_t count() const;
    /// kBufferFull when some did not fit.
    Status status() const;
    /// `triangle_tests` counts pairs of an edge and a polygon.
    const Counters& counters() const;

  private:
    alignas(16) unsigned char state_[CellTreeView::contact_bytes(kOverlap)];
};

}  // namespace espalier
