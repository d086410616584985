// SPDX-License-Identifier: GPL-3.0-or-later
// Which of many points is nearest to another: whose Voronoi cell that one lies in.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "builder/surface/median_tree.h"

namespace espalier {

/// Answers queries about points. Safe for concurrent use.
class NearestPoint {
  public:
    /// Precondition: at least one point.
    explicit NearestPoint(std::vector<Eigen::Vector3d> points);

    struct Found {
        std::uint32_t point;
        double distance;
    };
    /// Of equally near ones the first.
    Found nearest(const Eigen::Vector3d& point) const;

  private:
    struct Box {
        Eigen::Vector3d low;
        Eigen::Vector3d high;
    };

    std::vector<Eigen::Vector3d> points_;
    MedianTree tree_;
    std::vector<Box> boxes_;  ///< of the tree's nodes
};

}  // namespace espalier
