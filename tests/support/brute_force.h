// SPDX-License-Identifier: GPL-3.0-or-later
// Every triangle of A against every triangle of B, with no hierarchy.
#pragma once

#include <vector>

#include "espalier/asset.h"
#include "espalier/pose.h"
#include "tests/support/exact.h"

namespace espalier::testing {

/// Triangles of both parts as the runtime's exact path sees them, ready to be tested in pairs.
class BruteForce {
  public:
    /// Keeps references to the parts' bytes. B is placed by `pose` (must be valid).
    BruteForce(const PartView& a, const PartView& b, const Pose& pose);

    /// All pairs for which triangles_intersect holds, sorted.
    std::vector<TrianglePair> contacts() const;

    /// The same, but pairs whose boxes are more than 1e-7 of the scene's size apart are not tested: 10^7
    /// times the rounding error of triangles_intersect, and no answer of it on such a pair may be true.
    std::vector<TrianglePair> near_contacts() const;

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

    std::vector<Triangle3> a_, b_;
    Boxes boxes_a_, boxes_b_;
    double size_ = 0;
};

}  // namespace espalier::testing
