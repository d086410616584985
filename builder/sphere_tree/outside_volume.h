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
    constexpr std::size_t kLanes = 4;  // sums that run side by side: a fixed order for every compiler
    const double squared_radius = ball.radius * ball.radius;
    const double cubed_radius = squared_radius * ball.radius;
    double angle[kLanes] = {};  // solid angles
    double cone[kLanes] = {};   // six times volumes of the cones to the pieces, less a factor of two
    double area[kLanes] = {};
    const std::size_t count = surface.size();
    const auto add = [&](std::size_t i, std::size_t lane) {
        const double dx = surface.x[i] - ball.center.x();
        const double dy = surface.y[i] - ball.center.y();
        const double dz = surface.z[i] - ball.center.z();
        const double squared = dx * dx + dy * dy + dz * dz;
        const double dot = surface.nx[i] * dx + surface.ny[i] * dy + surface.nz[i] * dz;
        const double cubed = squared * std::sqrt(squared);
        const bool within = squared < squared_radius;
        const bool far = within && squared > surface.near[i];
        angle[lane] += far ? dot / cubed : 0.0;
        cone[lane] += far ? dot : 0.0;
        area[lane] += within ? surface.weight[i] : 0.0;
    };
    std::size_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            add(i + lane, lane);
        }
    }
    for (; i < count; ++i) {
        add(i, i % kLanes);
    }
    double angles = (angle[0] + angle[1]) + (angle[2] + angle[3]);
    double cones = (cone[0] + cone[1]) + (cone[2] + cone[3]);
    // One point would misjudge a piece very near, and with it the side on which the centre is.
    for (std::size_t k = 0; k < count; ++k) {
        const double dx = surface.x[k] - ball.center.x();
        const double dy = surface.y[k] - ball.center.y();
        const double dz = surface.z[k] - ball.center.z();
        const double squared = dx * dx + dy * dy + dz * dz;
        if (squared <= surface.near[k] && squared < squared_radius) {
            const auto& c = surface.corner[k];
            const double exact =
                kFourPi * solid_angle_fraction(c[0] - ball.center, c[1] - ball.center, c[2] - ball.center);
            angles += exact;
            cones += exact * squared * std::sqrt(squared);
        }
    }
    const double open = kFourPi * (1.0 - winding) + angles;
    return {(cubed_radius * open - cones) / 3.0, squared_radius * open,
            (area[0] + area[1]) + (area[2] + area[3])};
}

}  // namespace espalier
