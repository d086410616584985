// SPDX-License-Identifier: GPL-3.0-or-later
// Every triangle of A against every triangle of B, with no hierarchy.
#pragma once

#include <string>
#include <vector>

#include "espalier/asset.h"
#include "espalier/pose.h"
#include "espalier/query.h"
#include "tests/support/exact.h"

namespace espalier::testing {

/// What may be wrong with a distance: this much of it, the promise of the distance queries' tests.
constexpr double kDistancePromise = 1e-5;

/// Least distance of the points of a triangle from `p`, by projections in double.
double point_gap(const Triangle3& t, const double* p);

/// Whether a slab across the way between `a` and `b` parts the corners of the triangles by at least `gap`:
/// a proof that they are no nearer, whatever the two points are.
bool slab_parts(const Triangle3& a, const Triangle3& b, const double* on_a, const double* on_b, double gap);

/// Triangles of both parts as the runtime's exact path sees them, ready to be tested in pairs.
class BruteForce {
  public:
    /// Keeps references to the parts' bytes. B is placed by `pose` (must be valid).
    BruteForce(const ShapeView& a, const ShapeView& b, const Pose& pose);

    /// All pairs for which triangles_intersect holds, sorted.
    std::vector<TrianglePair> contacts() const;

    /// The same, but pairs whose boxes are more than 1e-7 of the scene's size apart are not tested: 10^7
    /// times the rounding error of triangles_intersect, and no answer of it on such a pair may be true.
    std::vector<TrianglePair> near_contacts() const;

    /// All pairs that share a point by CGAL's exact predicates on the placed doubles, sorted. Pairs that a
    /// plane of either triangle surely parts are not asked for.
    std::vector<TrianglePair> exact_contacts() const;

    /// What is wrong with a query's answer, or nothing: its points must lie on its triangles at the claimed
    /// distance, and no pair of triangles may be nearer by more than 1e-5 of it. A pair is cleared by a slab
    /// that parts it that far, or else by exact arithmetic; an answer of 0 by the exact predicate.
    /// Precondition: the origin of A's part is zero.
    std::string doubt_distance(const ClosestPair& claim) const;

    /// Least triangle_distance over all pairs; 0 when any pair intersects. Pairs whose boxes are farther
    /// apart than a pair already measured cannot change it and are passed over.
    double distance() const;

    const Triangle3& a(std::uint32_t i) const { return a_[i]; }
    const Triangle3& b(std::uint32_t i) const { return b_[i]; }

  private:
    /// Box sides side by side, so that a scan is one vectorised loop.
    struct Boxes {
        std::vector<double> lo[3], hi[3];
        void add(const Triangle3& t);
    };

    double box_gap(std::size_t i, std::size_t j) const;
    /// Calls `visit(i, j)` for all pairs whose boxes are at most `margin` apart along every axis, in order.
    template <class Visit>
    void for_near_pairs(double margin, Visit visit) const;
    bool planes_part(const Triangle3& a, const Triangle3& b) const;

    std::vector<Triangle3> a_, b_;
    Boxes boxes_a_, boxes_b_;
    double size_ = 0;
};

}  // namespace espalier::testing
