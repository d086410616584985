// SPDX-License-Identifier: GPL-3.0-or-later
// The volume of a ball outside a solid, from pieces of the solid's surface: along each ray from the ball's
// centre the solid's part is a signed sum over the crossings, so the volume is a sum over the pieces that the
// ball holds, weighted by their solid angles. Compare the sphere outside volume of Wang et al. 2006,
// "Variational sphere set approximation".
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "builder/mesh/winding_number.h"
#include "builder/sphere_tree/surface_pieces.h"

namespace espalier {

/// Points with area vectors that stand for a surface.
struct SurfaceQuadrature {
    std::vector<Eigen::Vector3d> point;
    std::vector<Eigen::Vector3d> area;
    std::vector<double> weight;  ///< length of the area vector
    std::vector<double> near;    ///< squared distance below which the piece's solid angle is computed exactly
    std::vector<std::array<Eigen::Vector3d, 3>> corner;

    void add(const Piece& piece) {
        const Eigen::Vector3d vector =
            0.5 * (piece.corner[1] - piece.corner[0]).cross(piece.corner[2] - piece.corner[0]);
        point.push_back((piece.corner[0] + piece.corner[1] + piece.corner[2]) / 3.0);
        area.push_back(vector);
        weight.push_back(vector.norm());
        near.push_back(longest_edge_squared(piece));
        corner.push_back(piece.corner);
    }
    std::size_t size() const { return point.size(); }

    /// Makes this the part of `from` in a ball.
    void select(const SurfaceQuadrature& from, const Ball& ball) {
        point.clear();
        area.clear();
        weight.clear();
        near.clear();
        corner.clear();
        for (std::size_t i = 0; i < from.size(); ++i) {
            if ((from.point[i] - ball.center).squaredNorm() < ball.radius * ball.radius) {
                point.push_back(from.point[i]);
                area.push_back(from.area[i]);
                weight.push_back(from.weight[i]);
                near.push_back(from.near[i]);
                corner.push_back(from.corner[i]);
            }
        }
    }
};

struct BallMeasure {
    double outside = 0.0;  ///< volume of the ball outside the solid
    double area = 0.0;     ///< area of the surface inside the ball
};

/// Measures a ball, given the winding number at its centre. Every quadrature point within the ball must be in
/// `surface`; others do no harm.
inline BallMeasure measure_ball(const SurfaceQuadrature& surface, const Ball& ball, double winding) {
    constexpr double kFourPi = 12.566370614359172;
    const double squared_radius = ball.radius * ball.radius;
    const double cubed_radius = squared_radius * ball.radius;
    double sum = 0.0;
    double area = 0.0;
    for (std::size_t i = 0; i < surface.size(); ++i) {
        const Eigen::Vector3d d = surface.point[i] - ball.center;
        const double squared = d.squaredNorm();
        if (squared >= squared_radius) {
            continue;
        }
        area += surface.weight[i];
        const double cubed = squared * std::sqrt(squared);
        if (squared > surface.near[i]) {
            sum += surface.area[i].dot(d) * (cubed_radius / cubed - 1.0);
        } else {
            // One point would misjudge a piece this near, and with it the side on which the centre is.
            const auto& c = surface.corner[i];
            sum += kFourPi *
                   solid_angle_fraction(c[0] - ball.center, c[1] - ball.center, c[2] - ball.center) *
                   (cubed_radius - cubed);
        }
    }
    return {(kFourPi * cubed_radius * (1.0 - winding) + sum) / 3.0, area};
}

}  // namespace espalier
