// SPDX-License-Identifier: MIT
// Time-critical queries on sphere trees (Hubbard 1996, sections 2 and 7): stop after any step and what was
// reached is a true statement; go on later and it gets sharper. No heap, no globals.
//
// What the bounds say. `separation` is the least distance of the two parts' triangles, 0 when two of them
// share a point: the same as for the other trees. After every step lower() <= separation <= upper(), lower
// never falls and upper never rises.
//  - lower comes from the gaps of spheres. It needs proved coverage (SphereTreeView::proved); without it only
//    the gap of the parts' bounds is claimed, and a query that found no contact ends unresolved.
//  - upper comes from the stored errors: gap + error + error. Errors count from the solid, so that this holds
//    for surfaces only where no connected piece of one part lies inside the other's solid. `begin` proves
//    that by boxes where it can (surface_errors()); where it cannot, upper comes from pairs of surface points
//    alone. Where errors count from the triangles (open parts) there is nothing to prove.
//  - on the last level the triangles of the leaf spheres are measured, which makes both exact.
// Rounding of spheres, errors and pose is on the safe side throughout.
//
// What a step costs. A visit is at most 8 sphere tests, or 8 pairs of triangles; the budget and the clock are
// asked before each, so that a step is late by one visit at most. It ends with one look at the open pairs (at
// most the capacity). On an AMD EPYC with SSE2 the longest visit of millions took 4 microseconds, the median
// 0.2, and the end with 1024 pairs half a microsecond (bench/RESULTS.md, section L).
#pragma once

#include <cstddef>
#include <cstdint>

#include "espalier/asset.h"
#include "espalier/pose.h"
#include "espalier/query.h"

namespace espalier {

/// Which open pair of spheres is refined next. Sphere DAGs are always refined in level order, which meets
/// equal pairs together.
enum class SphereOrder : std::uint32_t {
    kLevel,        ///< the paper's: level by level, all pairs of one before any of the next
    kBestFirst,    ///< overlapping pairs with the least upper bound first, then the least gap: what narrows
                   ///< the bounds fastest
    kWidestFirst,  ///< overlapping pairs with the widest bounds first, then the least gap
};

/// What a query on sphere trees is after.
struct SphereQueryOptions {
    /// `goal.within = 0` asks only whether the parts touch. The default asks for the separation.
    DistanceGoal goal;
    SphereOrder order = SphereOrder::kBestFirst;  ///< which pair is refined next
    /// Go on to the triangles below the last spheres. Without it the query ends at the spheres, with bounds.
    bool exact = true;
    /// For `advance`: pairs that are farther apart than matters now by no more than this are remembered, so
    /// that the parts may move by as much before the query must start at the roots again.
    double skin = 0;
};

/// One open pair of spheres. The meaning of `key` is the query's own.
struct SpherePair {
    std::uint32_t key;  ///< the query's own
    float gap;          ///< lower bound of the distance of what both cover; below 0: overlap
    std::uint32_t a;    ///< of A
    std::uint32_t b;    ///< of B
};
static_assert(sizeof(SpherePair) == 16, "the size of a query is documented by it");

/// Where two spheres overlap, in A's source frame: what a response needs.
struct SphereContact {
    double point[3] = {0, 0, 0};   ///< middle of the overlap
    double normal[3] = {0, 0, 0};  ///< unit, from A's sphere to B's
    double depth = 0;              ///< of the overlap
    std::uint32_t sphere_a = 0;    ///< of A
    std::uint32_t sphere_b = 0;    ///< of B
};

/// The separation of two parts with bounds at any time. Use SphereQuery, which brings its own memory, or this
/// with memory of any size.
class SphereQueryBase {
  public:
    SphereQueryBase() = default;

    /// Fewest pairs that a query works with. Any capacity gives true bounds and, unless stopped, the exact
    /// answer: a full memory is refined depth first, which is slower to sharpen the bounds. (In a DAG, whose
    /// paths are too many for that, pairs that do not fit keep the bound they have, and the query may end
    /// unresolved.)
    static constexpr std::size_t kLeastCapacity = 16;

    /// Starts at the roots. Fails with kNoTree (a part has no sphere tree) or kInvalidArgument (pose, goal,
    /// null or too small a memory); the verdict is then kUnresolved and `step` does nothing.
    /// @param pose   B in A's source frame
    /// @param memory pairs for the open front; must outlive the query and belongs to it alone
    Status begin(const ShapeView& a, const ShapeView& b, const Pose& pose, const SphereQueryOptions& options,
                 SpherePair* memory, std::size_t capacity);

    /// The same pair a frame later: keeps the open front of the last query, so that a step starts where the
    /// last frame ended. With a goal within reach (`goal.within`) the last bounds, less and more by as much
    /// as B can have moved, are those to begin with; parts that were farther apart than that are done, and of
    /// others the next step measures the front again (one node test a pair, 8 a visit). Without, bounds start
    /// anew and the front is measured at once. Never changes an answer: where the front is too old (the parts
    /// moved by more than was remembered), the query starts at the roots by itself. Fails with
    /// kInvalidArgument (pose, or no query was begun).
    Status advance(const Pose& pose);

    /// Works until `done()` or the budget is spent; returns the verdict.
    Verdict step(const Budget& budget = Budget());

    /// kColliding: upper() is 0. kDisjoint: lower() is above 0. kUnresolved: neither is known yet; the
    /// cautious count it as a hit.
    Verdict verdict() const;
    /// Nothing is left to refine: the goal is reached, or (not exact, or coverage not proved) there is no
    /// more to know.
    bool done() const;
    double lower() const;  ///< the separation is at least this
    double upper() const;  ///< the separation is at most this

    /// How fine the spheres are that speak for the parts. In level order: both spheres of every open pair are
    /// on this level or below. In the other orders, which leave coarse pairs open where they decide nothing:
    /// the coarser level of the two spheres that upper() comes from; while there are none, as in level order.
    /// The number of levels of the deeper tree when triangles prove upper() or no pair is open. Looks at
    /// every open pair.
    std::uint32_t level() const;
    /// Coverage is proved on both sides: lower() comes from spheres.
    bool conservative() const;
    /// upper() may use the stored errors: see above.
    bool surface_errors() const;
    /// The triangles that attain upper(), if it comes from triangles; false otherwise.
    bool closest(ClosestPair* pair) const;

    /// Overlapping open pairs, the colliding spheres of the paper: writes at most `capacity` and returns how
    /// many there are.
    std::size_t contacts(SphereContact* buffer, std::size_t capacity) const;
    /// One contact for them all: the mean of points and normals, weighted by depth, and the greatest depth;
    /// after an exact hit, the point that the triangles share. False when nothing overlaps.
    bool mean_contact(SphereContact* contact) const;
    /// Pairs that are open now.
    std::size_t open_pairs() const;
    const Counters& counters() const;  ///< work done since `begin`

  protected:
    /// Two queries in the same memory would spoil each other's front: only SphereQuery, which has its own, is
    /// copied.
    SphereQueryBase(const SphereQueryBase&) = default;
    SphereQueryBase& operator=(const SphereQueryBase&) = default;  ///< the same

  private:
    alignas(16) unsigned char state_[4608];
    bool begun_ = false;
};

/// A query with its own memory for `kPairs` open pairs: 4624 + 16 kPairs bytes. A copy of it goes on by
/// itself.
template <std::size_t kPairs = 1024>
class SphereQuery : public SphereQueryBase {
  public:
    static_assert(kPairs >= kLeastCapacity, "too small to work with");

    /// As SphereQueryBase::begin.
    Status begin(const ShapeView& a, const ShapeView& b, const Pose& pose,
                 const SphereQueryOptions& options = SphereQueryOptions()) {
        return SphereQueryBase::begin(a, b, pose, options, pairs_, kPairs);
    }

  private:
    // Right behind the base, where its `begin` knows them for the query's own.
    alignas(16) SpherePair pairs_[kPairs];
};

}  // namespace espalier
