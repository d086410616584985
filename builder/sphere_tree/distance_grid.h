// SPDX-License-Identifier: GPL-3.0-or-later
// Distances from a solid on a grid: how far a ball sticks out, to within the grid's width and in no time. For
// choosing between balls; what is promised comes from sphere_error.h.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "builder/mesh/inside_test.h"
#include "builder/sphere_tree/surface_pieces.h"
#include "builder/sphere_tree/surface_query.h"

namespace espalier {

class DistanceGrid {
  public:
    /// Over the mesh's box and some room around it.
    DistanceGrid(const InsideTest& inside, const SurfaceQuery& query);

    /// Distance from the solid, 0 inside; from the triangles where there is no solid. To within the width in
    /// the grid, and too large beyond it, by half at most.
    double at(const Eigen::Vector3d& point) const;

    /// The largest distance of some points of the sphere, spread evenly.
    double bulge(const Ball& ball) const;

    double width() const { return width_; }

  private:
    std::size_t index(int x, int y, int z) const {
        return (static_cast<std::size_t>(z) * static_cast<std::size_t>(count_[1]) +
                static_cast<std::size_t>(y)) *
                   static_cast<std::size_t>(count_[0]) +
               static_cast<std::size_t>(x);
    }
    void fill_row(const InsideTest& inside, const SurfaceQuery& query, int y, int z);

    Eigen::Vector3d low_ = Eigen::Vector3d::Zero();
    double width_ = 0.0;
    Eigen::Vector3i count_ = Eigen::Vector3i::Zero();
    std::vector<float> distance_;  ///< negative inside
};

}  // namespace espalier
