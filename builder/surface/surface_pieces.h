// SPDX-License-Identifier: GPL-3.0-or-later
// Pieces of triangles, the unit of every coverage argument: a ball is convex, so it holds a piece if and only
// if it holds the piece's three corners. Builder and checker bisect alike, so what one proves the other
// finds.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "builder/surface/triangle_mesh.h"

namespace espalier {

struct Ball {
    Eigen::Vector3d center = Eigen::Vector3d::Zero();
    double radius = 0.0;
};

/// Part of triangle `triangle`.
struct Piece {
    std::array<Eigen::Vector3d, 3> corner;
    std::uint32_t triangle = 0;
};

inline Piece whole_triangle(const TriangleMesh& mesh, std::uint32_t triangle) {
    return {{mesh.corner(triangle, 0), mesh.corner(triangle, 1), mesh.corner(triangle, 2)}, triangle};
}

/// Index of the edge (from corner i to i + 1) that is longest; of equals, the one whose middle comes first,
/// so that the choice does not depend on how the corners are ordered.
inline std::size_t longest_edge(const Piece& piece) {
    std::size_t longest = 0;
    double most = -1.0;
    for (std::size_t i = 0; i < 3; ++i) {
        const Eigen::Vector3d& a = piece.corner[i];
        const Eigen::Vector3d& b = piece.corner[(i + 1) % 3];
        const double squared = (b - a).squaredNorm();
        if (squared < most) continue;
        if (squared == most) {
            const Eigen::Vector3d here = a + b;
            const Eigen::Vector3d there = piece.corner[longest] + piece.corner[(longest + 1) % 3];
            if (!std::lexicographical_compare(here.data(), here.data() + 3, there.data(), there.data() + 3))
                continue;
        }
        most = squared;
        longest = i;
    }
    return longest;
}

inline double longest_edge_squared(const Piece& piece) {
    const std::size_t i = longest_edge(piece);
    return (piece.corner[(i + 1) % 3] - piece.corner[i]).squaredNorm();
}

/// The two halves on either side of the longest edge's midpoint.
inline std::array<Piece, 2> bisect(const Piece& piece) {
    const std::size_t i = longest_edge(piece);
    const std::size_t j = (i + 1) % 3;
    const Eigen::Vector3d middle = 0.5 * (piece.corner[i] + piece.corner[j]);
    std::array<Piece, 2> halves = {piece, piece};
    halves[0].corner[j] = middle;
    halves[1].corner[i] = middle;
    return halves;
}

/// How far computed corners and distances may be off, for coordinates (and radii) of magnitude up to
/// `magnitude`: each bisection moves a midpoint by at most half an ulp, and no proof goes deeper than
/// kMaxBisections.
inline constexpr int kMaxBisections = 60;
inline double coverage_slack(double magnitude) {
    return 4e-14 * magnitude;
}

/// True only if the ball of radius `safe_radius` (the true radius less the slack) holds the piece.
inline bool piece_in_ball(const Piece& piece, const Eigen::Vector3d& center, double safe_radius) {
    if (safe_radius < 0.0) return false;
    const double limit = safe_radius * safe_radius;
    return (piece.corner[0] - center).squaredNorm() <= limit &&
           (piece.corner[1] - center).squaredNorm() <= limit &&
           (piece.corner[2] - center).squaredNorm() <= limit;
}

/// The distance from `center` to the piece's farthest corner.
inline double farthest_corner(const Piece& piece, const Eigen::Vector3d& center) {
    double most = 0.0;
    for (const Eigen::Vector3d& corner : piece.corner) most = std::max(most, (corner - center).squaredNorm());
    return std::sqrt(most);
}

/// The point of the triangle abc nearest to p (Ericson 2005, section 5.1.5).
Eigen::Vector3d closest_point_on_triangle(const Eigen::Vector3d& p, const Eigen::Vector3d& a,
                                          const Eigen::Vector3d& b, const Eigen::Vector3d& c);

/// True only if the piece certainly lies beyond a plane that the ball of radius `safe_radius` (the true
/// radius plus the slack) does not reach. May miss a piece that is outside by a hair.
bool piece_outside_ball(const Piece& piece, const Eigen::Vector3d& center, double safe_radius);

}  // namespace espalier
