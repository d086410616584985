// SPDX-License-Identifier: MIT
// The state of a sphere query: what lies in the bytes of the public object.
#pragma once

#include "../pair/leaf_distance.h"
#include "../pair/query_state.h"
#include "bound.h"
#include "front.h"

namespace espalier {

/// A pair that is being refined: its children are tested from `next` to `end`, or, for two leaves, the
/// triangles of A from `next` to `end` against those of B from `other` on.
struct Expansion {
    SpherePair pair;
    std::uint32_t next, end;
    std::uint32_t other;
    std::uint32_t side;  ///< whose children: 0 A, 1 B; kLeaves
};
constexpr std::uint32_t kLeaves = 2;
/// The distance of nothing.
constexpr double kInfinity = __builtin_huge_val();
constexpr std::uint32_t kNoSphere = ~std::uint32_t{0};

/// Depth first, every expansion opens a sphere of one tree: no more than all levels of both.
constexpr std::uint32_t kMostExpansions = 2 * kMaxSphereLevels;

struct SphereState {
    ShapeView part[2];
    PairFrame frame;
    LengthScale scale;
    PairMeshes meshes;  ///< with the leaf lists as triangle orders
    SphereQueryOptions options;
    Counters counters;
    NearestPair best;  ///< the nearest triangles measured
    double upper;
    double lower;
    double outside;            ///< everything that is neither open nor measured is at least this far apart
    double drift;              ///< farthest that points moved since the front's gaps were measured
    double bounds_lower;       ///< what the parts' bounds alone prove
    SpherePair last;           ///< the pair that left the front last
    SpherePair hit;            ///< the spheres that proved a contact
    std::uint32_t nearest[2];  ///< the spheres that `upper` comes from; kNoSphere while there are none
    SphereFront front;
    std::uint32_t depth;     ///< expansions; more than one only where the front is full
    std::uint32_t sequence;  ///< pairs made: the order of equals
    std::uint32_t renewed;   ///< of an old front, pairs that are measured in the present pose
    bool dag;                ///< pairs may be reached on many paths
    bool covers;             ///< coverage is proved
    bool errors_hold;        ///< the errors bound the separation of the surfaces
    bool measured;           ///< pairs of leaves were measured and forgotten
    bool warm;               ///< the front is that of another pose: `outside` may lie below what matters
    bool old;                ///< and is not yet measured in this one
    bool placed;             ///< `errors_hold` and `best` are of this pose
    bool hit_by_triangles;
    bool ready;
    bool done;
    Expansion stack[kMostExpansions];
};

inline PlacedSphere placed_sphere(const SphereState& s, int side, std::uint32_t sphere) {
    const SphereTreeView& tree = s.part[side].sphere;
    ESPALIER_ASSERT(sphere < tree.sphere_count);
    // Nearest points of two solids may lie on what fills a hole; triangles are near.
    const double gap = double(tree.gap), error = double(tree.errors[sphere]) + double(tree.filling);
    return side == 0 ? place_sphere_a(tree.spheres[sphere], gap, error)
                     : place_sphere_b(tree.spheres[sphere], gap, error, s.frame, s.scale);
}

inline bool is_leaf(const SphereTreeView& tree, std::uint32_t sphere) {
    return sphere >= tree.inner_count();
}

/// Pairs beyond this distance do not matter.
inline double useful_distance(const SphereState& s) {
    const DistanceGoal& goal = s.options.goal;
    const double tolerant = (s.upper - goal.absolute_tolerance) / (1 + goal.relative_tolerance);
    return tolerant < goal.within ? tolerant : goal.within;
}

}  // namespace espalier
