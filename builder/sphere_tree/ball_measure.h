// SPDX-License-Identifier: GPL-3.0-or-later
// The volume of a ball outside a solid, from pieces of the solid's surface: along each ray from the ball's
// centre the solid's part is a signed sum over the crossings, so the volume is a sum over the pieces that the
// ball holds, weighted by their solid angles. Compare the sphere outside volume of Wang et al. 2006,
// "Variational sphere set approximation".
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "builder/mesh/inside_test.h"
#include "builder/sphere_tree/surface_pieces.h"

namespace espalier {

/// So many values are computed at a time, in vector instructions, with the same sums on every compiler.
inline constexpr std::size_t kLanes = 8;
using Lanes = Eigen::Array<float, kLanes, 1>;

/// A surface as points with area vectors, one for all the pieces in a small cell, measured by balls.
/// Coordinates are float32 from `origin`, which should be near. Not safe for concurrent use: it remembers
/// what lies near the last ball.
class SurfaceQuadrature {
  public:
    SurfaceQuadrature(const std::vector<Piece>& surface, const InsideTest& inside,
                      const Eigen::Vector3d& origin, double cell);

    /// The volume of a ball (its centre from the origin) outside the solid. Exact in the limit of small
    /// cells.
    double outside(const Ball& asked);

  private:
    /// Pieces in one cell.
    struct Cell {
        std::uint32_t first;  ///< in `corner_`
        std::uint32_t count;
    };

    /// Cells near each other.
    struct Block {
        Eigen::Vector3f center;  ///< of a ball around the points
        float radius;
        Lanes x, y, z;     ///< points
        Lanes nx, ny, nz;  ///< area vectors
        Lanes bend;        ///< three times the volume of the cones beyond that to the point
        Lanes near;        ///< squared distance below which the solid angle is computed from the corners
        std::uint32_t cell[kLanes];
    };

    void divide(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& keys, std::uint32_t first,
                std::uint32_t last, std::uint32_t bits);
    void fill();
    void set_lane(Block& block, std::size_t lane, std::uint32_t cell) const;
    void look_around(const Ball& ball);
    double winding(const Eigen::Vector3d& center);
    double exact_term(const Block& block, std::size_t lane, const Ball& ball) const;

    const InsideTest& inside_;
    Eigen::Vector3d origin_;
    std::vector<std::array<Eigen::Vector3d, 3>> corner_;
    std::vector<Cell> cells_;
    std::vector<Block> all_;
    double widest_cell_ = 0.0;        ///< no piece is farther than this from its cell's point
    std::vector<const Block*> near_;  ///< what of `all_` meets `near_ball_`
    Ball near_ball_;                  ///< radius 0: nothing is known
    Eigen::Vector3d known_center_ = Eigen::Vector3d::Zero();
    double known_winding_ = 0.0;  ///< at `known_center_`, and, for closed solids, as far as `known_reach_`
    double known_reach_ = -1.0;
};

}  // namespace espalier
