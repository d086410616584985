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
    /// The area of the surface inside a ball, by whole cells.
    double area(const Ball& ball);
    /// Prepares for many balls inside this one.
    void expect(const Ball& ball);

  private:
    /// Pieces in one cell.
    struct Cell {
        std::uint32_t first;  ///< in `corner_`
        std::uint32_t count;
    };

    /// What a cell is measured by.
    struct Point {
        float x, y, z;     ///< the pieces' middle
        float nx, ny, nz;  ///< area vector
        float bend;        ///< three times the volume of the cones beyond that to the point
        float area;
        float near;  ///< squared distance up to which the solid angle is computed from the corners
    };

    /// Cells that follow each other, in a ball.
    struct Group {
        Eigen::Vector3f center;
        float radius;
    };

    /// The cells near the last ball, in arrays that fill whole lanes.
    struct Near {
        std::vector<float> x, y, z, nx, ny, nz, bend, area, near;
        std::vector<std::uint32_t> cell;
        std::vector<float> squared, shell, angle;  ///< results by cell

        void resize(std::size_t count);
        void set(std::size_t i, const Point& point);
    };

    /// Of a cell or a piece, seen from a place.
    struct ConeAngle {
        double cone;   ///< three times the volume of the cone to the place
        double angle;  ///< solid angle
    };

    struct Sums {
        double shells = 0.0;  ///< three times the volume beyond the cells in a ball
        double seen = 0.0;    ///< windings of the near cells around the ball's centre
    };

    void divide(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& keys, std::uint32_t first,
                std::uint32_t last, std::uint32_t bits);
    Point point_of(const Cell& cell) const;
    void group();
    void look_around(const Ball& ball);
    double winding(const Eigen::Vector3d& center, double seen);
    void learn_far(const Eigen::Vector3d& center, double seen, bool closed);
    void learn_beyond(double reach);
    Sums measure(const Ball& ball);
    Sums exact_sums(const Ball& ball) const;
    ConeAngle exact_part(std::uint32_t index, const Eigen::Vector3d& center) const;

    const InsideTest& inside_;
    Eigen::Vector3d origin_;
    std::vector<std::array<Eigen::Vector3d, 3>> corner_;
    std::vector<Cell> cells_;
    std::vector<Point> points_;  ///< by cell
    std::vector<Group> groups_;  ///< of kGroup cells
    Near near_;                  ///< the cells in `near_ball_`
    float widest_near_ = 0.0F;   ///< the largest `near` of those
    Ball near_ball_;             ///< radius 0: nothing is known
    // Windings of what is not near: at a place, and how they change with the way from there.
    bool far_known_ = false;
    double far_ = 0.0;
    Eigen::Vector3d far_center_ = Eigen::Vector3d::Zero();
    Eigen::Vector3d far_slope_ = Eigen::Vector3d::Zero();
    Near all_;  ///< all cells; for solids that are not closed
    std::array<std::vector<float>, 4> far_parts_;
    // The same for what is beyond all cells, at the origin; for solids that are not closed.
    double beyond_ = 0.0;
    Eigen::Vector3d beyond_slope_ = Eigen::Vector3d::Zero();
};

}  // namespace espalier
