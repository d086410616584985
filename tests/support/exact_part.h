// SPDX-License-Identifier: GPL-3.0-or-later
// What is true of one mesh and a ray or a point, by CGAL's exact predicates over all triangles.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "espalier/asset.h"
#include "espalier/query.h"

namespace espalier::testing {

/// Keeps a copy of the part's triangles. Precondition: the part's origin is zero.
class ExactPart {
  public:
    explicit ExactPart(const ShapeView& part);
    ~ExactPart();

    struct Hit {
        double t = 0;  ///< rounded once
        std::uint32_t triangle = 0;
    };
    /// Every triangle that the ray meets, by triangle; those in whose plane the ray lies are left out.
    /// Precondition: origin + direction is exact.
    std::vector<Hit> ray_hits(const Ray& ray) const;

    /// What is wrong with the claimed closest point to `point`, or nothing: see BruteForce::doubt_distance.
    std::string doubt_closest(const double* point, const ClosestPoint& claim) const;

    /// Every edge is used as often in one direction as in the other, so that winding numbers are integers.
    bool closed() const { return closed_; }
    /// Whether the point is on the surface or the surface winds around it: crossings of a line through
    /// `point` and a drawn one, by orientations alone. Precondition: closed().
    bool inside(const double* point) const;

  private:
    struct Geometry;
    std::unique_ptr<Geometry> geometry_;
    bool closed_ = false;
};

}  // namespace espalier::testing
