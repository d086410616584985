// SPDX-License-Identifier: MIT
// The state of a time-critical query of bodies, and what a pair of parts or of groups of them proves before
// it is refined.
#pragma once

#include "../pair/distance_progress.h"
#include "../pair/query_state.h"
#include "body_pair.h"
#include "espalier/body_sphere_query.h"
#include "sphere_pairs.h"

namespace espalier {

/// Pairs that a depth first search needs at most: pair_walk.h counts them.
constexpr std::uint32_t kDepthFirstRoom = 136;
/// Fewest pairs of a table: some beside those.
constexpr std::uint32_t kLeastPartPairs = 160;
constexpr std::uint32_t kMostSlots = 4096;
constexpr std::uint32_t kMostOpenPairs = 1u << 24;
constexpr std::uint32_t kMostPartPairs = 1u << 26;

/// Distances of placed points are off by less than this share of their coordinates.
constexpr double kDistanceRounding = 1e-14;

struct BodySphereState {
    BodyPair bodies;
    BodySphereOptions options;
    Counters counters;
    ActivePairs pairs;
    double lower, upper;
    double rest;  ///< least lower bound of all pairs that have left the table
    BodyClosestPair closest;
    std::uint64_t turn_left;   ///< node tests of a turn that a budget interrupted; 0: nobody's
    std::uint32_t turn_slot;   ///< whose
    std::uint32_t nearest[2];  ///< the parts that `upper` comes from; kNoIndex while it is no parts' own
    bool by_triangles;         ///< `closest` attains `upper`
    bool ready;
    bool done;
};

/// Pairs beyond this distance do not matter.
inline double useful_distance(const BodySphereState& s) {
    const DistanceGoal& goal = s.options.pair.goal;
    const double tolerant = (s.upper - goal.absolute_tolerance) / (1 + goal.relative_tolerance);
    return tolerant < goal.within ? tolerant : goal.within;
}

/// No two points of the boxes are farther apart.
inline double farthest(const NodeBox& a, const NodeBox& b) {
    float x[4], y[4];
    store4(x, max(b.hi - a.lo, a.hi - b.lo));
    store4(y, max(max(abs(a.lo), abs(a.hi)), max(abs(b.lo), abs(b.hi))));
    double squared = 0, size = 0;
    for (int k = 0; k < 3; ++k) {
        // A difference of floats is off by 2^-24 of itself at most.
        const double side = double(x[k]) * (1 + 1e-6);
        squared += side * side;
        size += double(y[k]);
    }
    return std::sqrt(squared) * (1 + 1e-12) + kDistanceRounding * size;
}

/// The bounds of a pair of boxes.
inline ActivePair pair_of_boxes(std::uint32_t a, std::uint32_t b, const NodeBox& box_a, const NodeBox& box_b,
                                double lower) {
    const double gap = double(BodyPair::gap(box_a, box_b));
    return {gap > lower ? gap : lower, farthest(box_a, box_b), a, b, kNoSlot, 0};
}

inline bool covers(const SphereTreeView& tree) {
    return tree.proved && tree.coverage != SphereCoverage::kSampled;
}

/// What two parts prove that were not started: the gap of their root spheres where these cover, and a point
/// of each.
/// @param pose  of part B in part A's source frame
inline void bound_parts(const ShapeView& a, const ShapeView& b, const Pose& pose, ActivePair* pair) {
    Placement place;
    if (!placement_of(pose, &place)) return;
    const SphereNode &root_a = a.sphere.spheres[0], &root_b = b.sphere.spheres[0];
    const float* corners[2] = {a.mesh.corner(0, 0), b.mesh.corner(0, 0)};
    double centers = 0, points = 0, size = 0, b_center[3], b_point[3];
    for (int k = 0; k < 3; ++k) {
        b_center[k] = double(root_b.center[k]) + b.origin[k];
        b_point[k] = double(corners[1][k]) + b.origin[k];
        size += std::fabs(b_center[k]) + std::fabs(b_point[k]) + std::fabs(place.translation[k]) +
                std::fabs(a.origin[k]) + std::fabs(double(root_a.center[k])) +
                std::fabs(double(corners[0][k]));
    }
    turn(place.rotation, b_center, b_center);
    turn(place.rotation, b_point, b_point);
    for (int k = 0; k < 3; ++k) {
        const double c = b_center[k] + place.translation[k] - a.origin[k] - double(root_a.center[k]);
        const double p = b_point[k] + place.translation[k] - a.origin[k] - double(corners[0][k]);
        centers += c * c;
        points += p * p;
    }
    const double rounding = kDistanceRounding * size;
    const double gap = std::sqrt(centers) * (1 - 1e-12) - (double(root_a.radius) + double(a.sphere.gap)) -
                       (double(root_b.radius) + double(b.sphere.gap)) - rounding;
    if (covers(a.sphere) && covers(b.sphere) && gap > pair->lower) pair->lower = gap;
    const double upper = std::sqrt(points) * (1 + 1e-12) + rounding;
    if (upper < pair->upper) pair->upper = upper;
}

}  // namespace espalier
