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

/// Points with area vectors that stand for a surface, coordinate by coordinate so that compilers can use
/// vector instructions.
struct SurfaceQuadrature {
    std::vector<double> x, y, z;     ///< points
    std::vector<double> nx, ny, nz;  ///< area vectors
    std::vector<double> weight;      ///< length of the area vector
    std::vector<double> near;  ///< squared distance below which the piece's solid angle is computed exactly
    std::vector<std::array<Eigen::Vector3d, 3>> corner;

    void add(const Piece& piece) {
        const Eigen::Vector3d vector =
            0.5 * (piece.corner[1] - piece.corner[0]).cross(piece.corner[2] - piece.corner[0]);
        const Eigen::Vector3d point = (piece.corner[0] + piece.corner[1] + piece.corner[2]) / 3.0;
        push(point.x(), point.y(), point.z(), vector.x(), vector.y(), vector.z(), vector.norm(),
             longest_edge_squared(piece), piece.corner);
    }
    std::size_t size() const { return x.size(); }

    /// Makes this the part of `from` in a ball.
    void select(const SurfaceQuadrature& from, const Ball& ball) {
        for (auto* values : {&x, &y, &z, &nx, &ny, &nz, &weight, &near}) {
            values->clear();
        }
        corner.clear();
        const double squared_radius = ball.radius * ball.radius;
        for (std::size_t i = 0; i < from.size(); ++i) {
            const double dx = from.x[i] - ball.center.x();
            const double dy = from.y[i] - ball.center.y();
            const double dz = from.z[i] - ball.center.z();
            if (dx * dx + dy * dy + dz * dz < squared_radius) {
                push(from.x[i], from.y[i], from.z[i], from.nx[i], from.ny[i], from.nz[i], from.weight[i],
                     from.near[i], from.corner[i]);
            }
        }
    }

  private:
    void push(double px, double py, double pz, double ax, double ay, double az, double area, double limit,
              const std::array<Eigen::Vector3d, 3>& corners) {
        x.push_back(px);
        y.push_back(py);
        z.push_back(pz);
        nx.push_back(ax);
        ny.push_back(ay);
        nz.push_back(az);
        weight.push_back(area);
        near.push_back(limit);
        corner.push_back(corners);
    }
};

struct BallMeasure {
    double outside = 0.0;   ///< volume of the ball outside the solid
    double pressure = 0.0;  ///< how fast that grows with the radius: the sphere's area outside the solid
    double area = 0.0;      ///< area of the surface inside the ball
};

/// Measures a ball, given the winding number at its centre. Every quadrature point within the ball must be in
/// `surface`; others do no harm.
inline BallMeasure measure_ball(const SurfaceQuadrature& surface, const Ball& ball, double winding) {
    constexpr double kFourPi = 12.566370614359172;
    // Roots and quotients of a block at a time, without branches: compilers make vector instructions of them.
    constexpr std::size_t kBlock = 64;
    double squared[kBlock];
    double cone[kBlock];   // three times the volume of the cone to the piece
    double angle[kBlock];  // its solid angle
    const double cx = ball.center.x();
    const double cy = ball.center.y();
    const double cz = ball.center.z();
    const double squared_radius = ball.radius * ball.radius;
    double angles = 0.0;
    double cones = 0.0;
    double area = 0.0;
    for (std::size_t begin = 0; begin < surface.size(); begin += kBlock) {
        const std::size_t count = std::min(kBlock, surface.size() - begin);
        for (std::size_t i = 0; i < count; ++i) {
            const double dx = surface.x[begin + i] - cx;
            const double dy = surface.y[begin + i] - cy;
            const double dz = surface.z[begin + i] - cz;
            squared[i] = dx * dx + dy * dy + dz * dz;
            cone[i] = surface.nx[begin + i] * dx + surface.ny[begin + i] * dy + surface.nz[begin + i] * dz;
        }
        for (std::size_t i = 0; i < count; ++i) {
            angle[i] = cone[i] / (squared[i] * std::sqrt(squared[i]));
        }
        for (std::size_t i = 0; i < count; ++i) {
            if (squared[i] >= squared_radius) {
                continue;
            }
            area += surface.weight[begin + i];
            if (squared[i] > surface.near[begin + i]) {
                angles += angle[i];
                cones += cone[i];
            } else {
                // One point would misjudge a piece this near, and with it the side on which the centre is.
                const auto& c = surface.corner[begin + i];
                const double exact = kFourPi * solid_angle_fraction(c[0] - ball.center, c[1] - ball.center,
                                                                    c[2] - ball.center);
                angles += exact;
                cones += exact * squared[i] * std::sqrt(squared[i]);
            }
        }
    }
    const double open = kFourPi * (1.0 - winding) + angles;
    return {(squared_radius * ball.radius * open - cones) / 3.0, squared_radius * open, area};
}

}  // namespace espalier
