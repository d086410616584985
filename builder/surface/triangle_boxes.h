// SPDX-License-Identifier: GPL-3.0-or-later
// Which triangles may meet a ball: a hierarchy of exact bounding boxes. Coverage proofs rest on it, so it
// uses comparisons only and can return too many triangles but never too few.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <limits>
#include <vector>

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

    struct Node {
        Eigen::Vector3f low;
        Eigen::Vector3f high;
        std::uint32_t
            first;  ///< leaves: position in `order_`; others: the right child (the left one follows)
        std::uint32_t count;  ///< leaves: number of triangles; others: 0
    };
    void build(const TriangleMesh& mesh, std::uint32_t begin, std::uint32_t end);
    template <class Reaches>
    std::vector<std::uint32_t> find(std::size_t most, Reaches reaches) const;

    std::vector<Node> nodes_;
    std::vector<std::uint32_t> order_;
    std::vector<Eigen::Vector3f> low_;
    std::vector<Eigen::Vector3f> high_;
};

}  // namespace espalier
