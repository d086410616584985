// SPDX-License-Identifier: MIT
// What all queries share: budgets, verdicts, counters, overlap tests; and what they are asked and answer.
#pragma once

#include <cstdint>

namespace espalier {

// The contract of budgeted queries, the same for every tree: `begin` starts one in the caller's memory;
// `step` works until the answer is known or the budget is spent and may be called any number of times, with
// the same outcome as one call with the sum of the budgets; between steps
//   lower() <= separation <= upper()   where separation is the least distance of the two parts' triangles,
//                                      0 when two of them share a point;
// lower() never falls, upper() never rises; the verdict is kDisjoint only if lower() > 0 was proved and
// kColliding only if a common point was. Queries without bounds (collide, contacts) have the verdict alone,
// which says lower = 0 <= separation <= infinity unless it is kColliding. Node tests are counted alike on
// every platform, so that the same budget gives the same answer everywhere; a clock does not.

/// How much work one `step` may do. A step ends at the first limit reached; a query goes on where it stopped.
struct Budget {
    static constexpr std::uint64_t kUnlimited = ~std::uint64_t{0};

    /// Node tests: one for every child volume tested. Deterministic on every platform. A step may exceed it
    /// by the tests of one visit (at most 4 children, or one pair of leaves, which in a cell tree hold as
    /// many triangles as its builder left together; 8 spheres or 8 pairs of triangles in a sphere tree, where
    /// every four pairs of triangles count as one node test).
    std::uint64_t node_tests = kUnlimited;
    /// Optional clock: asked before every visit; true stops the step.
    bool (*expired)(void* user) = nullptr;
    void* user = nullptr;
};

/// What is known now. `lower <= separation <= upper` always holds.
enum class Verdict : std::uint32_t {
    kUnresolved = 0,  ///< the budget ended first: the cautious count it as a hit
    kDisjoint = 1,
    kColliding = 2,
};

/// Work done since `begin`.
struct Counters {
    std::uint64_t node_tests = 0;      ///< pairs of volumes tested (van den Bergen's Nb)
    std::uint64_t leaf_pairs = 0;      ///< pairs of leaves whose triangles were tested
    std::uint64_t triangle_tests = 0;  ///< pairs of triangles tested (Np)
    std::uint64_t exact_tests = 0;     ///< of those, decided in double precision
};

/// Two triangles that share a point. Indices are those of the part's mesh; point and normal are in A's source
/// frame (origin added).
struct Contact {
    std::uint32_t triangle_a = 0;
    std::uint32_t triangle_b = 0;
    double point[3] = {0, 0, 0};   ///< a point of both, to double rounding
    double normal[3] = {0, 0, 0};  ///< unit normal of A's triangle (of B's if A's is degenerate)
};

/// Whether the volumes of two nodes overlap. The tests differ in cost and in how often they let volumes pass
/// that are apart; the answer of a query is the same for all. A tree has the tests that its header names, and
/// a program that names one links only that one.
enum class Overlap : std::uint32_t {
    kSatLite = 0,  ///< enclosures along the axes of both frames: 6 intervals; the fastest measured
    kSat = 1,      ///< separating axes: all 15 intervals (Gottschalk 1996)
    kAxis = 2,     ///< enclosures along A's axes: 3 intervals (Zachmann 2002, section 3.2.1)
    kTable = 3,    ///< the same with products from tables (3.2.2)
    kClip = 4,     ///< the parallel edges of each cell clipped by the other (Zachmann 1997)
};

/// Remembers the witness of the last contact of a pair; the next query tests it first. Zero-initialise it
/// once a pair and pass it every frame; it never changes an answer.
struct Cue {
    std::uint32_t triangle_a = 0;
    std::uint32_t triangle_b = 0;
    bool valid = false;
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

/// A half line, or a segment, in the part's source frame.
struct Ray {
    double origin[3] = {0, 0, 0};
    double direction[3] = {0, 0, 1};  ///< any length but zero; `t` counts in it
    double max_t = __builtin_huge_val();
};

/// The nearest hit, or the first found.
enum class RayMode : std::uint32_t { kFirst = 0, kAny = 1 };

/// Where a ray meets a part.
struct RayHit {
    std::uint32_t triangle = 0;
    double t = 0;  ///< hit = origin + t * direction
    double point[3] = {0, 0, 0};
    double normal[3] = {0, 0, 0};  ///< unit, by the triangle's orientation
};

/// The point of a part that is nearest to another.
struct ClosestPoint {
    std::uint32_t triangle = 0;
    double distance = 0;
    double point[3] = {0, 0, 0};
};

}  // namespace espalier
