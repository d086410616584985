// SPDX-License-Identifier: MIT
// What every distance query keeps beside its walk: the goal, the best pair and what is proved so far.
#pragma once

#include "espalier/query.h"
#include "leaf_distance.h"

namespace espalier {

constexpr double kInfiniteDistance = __builtin_huge_val();

/// The lower bound where no more is known than that the parts do not touch.
constexpr double kLeastDistance = 2.2250738585072014e-308;

/// A first pass that is content with a pair this much too far (twice as far) costs little and spares the
/// second many of its visits.
constexpr double kScoutTolerance = 1;

struct DistanceProgress {
    DistanceGoal goal;
    Counters counters;
    NearestPair best;
    double lower;  ///< largest bound ever proved for all that is left
    bool ready;
    bool done;

    /// Forgets what was. False for a goal that makes no sense.
    bool reset(const DistanceGoal& new_goal) {
        ready = done = false;
        counters = Counters();
        best = NearestPair{kInfiniteDistance, {0, 0}, {{0, 0, 0}, {0, 0, 0}}, {0, 0, 0}};
        lower = 0;
        goal = new_goal;
        return goal.within >= 0 && goal.relative_tolerance >= 0 && goal.absolute_tolerance >= 0;
    }

    bool satisfied() const {
        return best.distance == 0 || (goal.within < kInfiniteDistance && best.distance <= goal.within);
    }

    /// Pairs at or beyond this distance do not matter any more once one at `nearest` is known. A scouting
    /// pass is content with less.
    double useful_below(double nearest, bool scouting) const {
        const double relative =
            scouting && goal.relative_tolerance < kScoutTolerance ? kScoutTolerance : goal.relative_tolerance;
        const double tolerant = (nearest - goal.absolute_tolerance) / (1 + relative);
        return tolerant < goal.within ? tolerant : goal.within;
    }

    /// What is proved after a step: everything pruned lies at least at the useful distance, everything open
    /// at its bound, `open`.
    void raise_lower(double useful, double open) {
        double proved = useful;
        if ((!done || satisfied()) && open < proved) proved = open;
        // A walk that ends without the goal has looked at everything up to the useful distance, itself
        // included.
        if (proved == 0 && done && !satisfied()) proved = kLeastDistance;
        if (proved > lower) lower = proved;
        if (lower > best.distance) lower = best.distance;
    }

    Verdict verdict() const {
        if (best.distance == 0) return Verdict::kColliding;
        return lower > 0 ? Verdict::kDisjoint : Verdict::kUnresolved;
    }

    ClosestPair closest(const double* origin_a) const {
        ClosestPair pair;
        pair.distance = best.distance;
        pair.triangle_a = best.triangle[0];
        pair.triangle_b = best.triangle[1];
        for (int k = 0; k < 3; ++k) {
            pair.point_a[k] = best.point[0][k] + origin_a[k];
            pair.point_b[k] = best.point[1][k] + origin_a[k];
        }
        return pair;
    }
};

}  // namespace espalier
