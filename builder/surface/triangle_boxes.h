// SPDX-License-Identifier: GPL-3.0-or-later
// Which triangles may meet a ball: a hierarchy of exact bounding boxes. Coverage proofs rest on it, so it
// uses comparisons only and can return too many triangles but never too few.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "builder/surface/median_tree.h"
#include "builder/surface/triangle_mesh.h"

namespace espalier {

class TriangleBoxes {
  public:
    explicit TriangleBoxes(const TriangleMesh& mesh);

    /// Every triangle whose bounding box comes within `radius` of `center` along each axis; sorted.
    std::vector<std::uint32_t> near_ball(const Eigen::Vector3d& center, double radius) const;

    /// Every triangle whose bounding box comes within `radius` of `center`, up to rounding; unsorted, but
    /// always in the same order. None if there are more than `most`.
    std::vector<std::uint32_t> few_near_ball(const Eigen::Vector3d& center, double radius,
                                             std::size_t most) const;

    /// Every triangle whose bounding box the segment comes near; unsorted, but always in the same order.
    std::vector<std::uint32_t> near_segment(const Eigen::Vector3d& from, const Eigen::Vector3d& to) const;

  private:
    static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

    struct Box {
        Eigen::Vector3f low;
        Eigen::Vector3f high;
    };
    Box box_of(std::span<const std::uint32_t> triangles) const;
    template <class Meets>
    std::vector<std::uint32_t> find(std::size_t most, Meets meets) const;

    MedianTree tree_;
    std::vector<Box> boxes_;            ///< of the tree's nodes
    std::vector<Eigen::Vector3f> low_;  ///< of the triangles
    std::vector<Eigen::Vector3f> high_;
};

}  // namespace espalier
