// SPDX-License-Identifier: GPL-3.0-or-later
// Closest-point and segment queries on a mesh, over CGAL's AABB tree.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <vector>

#include "builder/surface/flat_triangles.h"
#include "builder/surface/triangle_mesh.h"

namespace espalier {

class TriangleBoxes;

/// Answers queries about one mesh, which must outlive it. Safe for concurrent use.
class SurfaceQuery {
  public:
    explicit SurfaceQuery(const TriangleMesh& mesh);
    ~SurfaceQuery();

    struct Closest {
        Eigen::Vector3d point;
        std::uint32_t triangle;
        double distance;
    };
    /// The nearest point of the mesh.
    Closest closest(const Eigen::Vector3d& point) const;

    /// The same, starting from `hint`, a triangle that is likely to be near.
    Closest closest(const Eigen::Vector3d& point, std::uint32_t hint) const;

    /// Every triangle whose bounding box comes within `radius` of `center` along each axis; sorted.
    std::vector<std::uint32_t> triangles_near(const Eigen::Vector3d& center, double radius) const;

    /// Every triangle whose bounding box comes within `radius` of `center`; none if there are more than
    /// `most`.
    std::vector<std::uint32_t> few_triangles_near(const Eigen::Vector3d& center, double radius,
                                                  std::size_t most) const;

    /// The boxes of the mesh's triangles, for whoever needs them too.
    const TriangleBoxes& boxes() const;

    /// The mesh for distances of several points at once.
    const FlatTriangles& flat() const;

    /// Every triangle that meets the segment in a point, with that point; unsorted. Misses may happen
    /// within rounding of an edge.
    struct Hit {
        std::uint32_t triangle;
        Eigen::Vector3d point;
    };
    std::vector<Hit> segment_hits(const Eigen::Vector3d& from, const Eigen::Vector3d& to) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace espalier
