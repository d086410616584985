// SPDX-License-Identifier: GPL-3.0-or-later
// Distances of several points at once from the triangles of a mesh, in float32.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "builder/surface/triangle_kernel.h"
#include "builder/surface/triangle_mesh.h"

namespace espalier {

class FlatTriangles {
  public:
    using Points = std::array<Eigen::Vector3d, kVectorLanes>;
    using Distances = std::array<float, kVectorLanes>;

    explicit FlatTriangles(const TriangleMesh& mesh);

    /// Half of the mesh's diagonal.
    double unit() const { return unit_; }

    /// The squared distances of all the points from each of the triangles, one triangle after another, in
    /// units: off by a few roundings of one.
    void squared_distances(const Points& points, std::span<const std::uint32_t> triangles,
                           std::vector<Distances>& distances) const;

  private:
    Eigen::Vector3d origin_ = Eigen::Vector3d::Zero();  ///< the middle of the mesh
    double unit_ = 1.0;
    std::vector<FlatTriangle> triangles_;
};

}  // namespace espalier
