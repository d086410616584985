// SPDX-License-Identifier: MIT
// What all queries share: budgets, verdicts, counters, contacts.
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

/// Volume overlap test of box pairs: 6 face axes, or all 15 axes (van den Bergen 1998, section 3). The answer
/// is the same. A runtime compiled with ESPALIER_SAT_LITE_ONLY carries the first alone and uses it for both.
enum class Overlap : std::uint32_t { kSatLite = 0, kSat = 1 };

}  // namespace espalier
