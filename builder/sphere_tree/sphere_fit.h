// SPDX-License-Identifier: GPL-3.0-or-later
// Covers a part of the surface with a given number of balls of little outside volume: the default method.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "builder/mesh/inside_test.h"
#include "builder/sphere_tree/surface_pieces.h"

namespace espalier {

/// Where a ball may begin: a point of the surface and the medial ball that touches it.
struct FitSeed {
    Eigen::Vector3d point = Eigen::Vector3d::Zero();
    Ball ball;
};

struct FitOptions {
    std::uint32_t count = 8;           ///< most balls
    double smallest_piece = 0.0;       ///< edge length below which pieces are not split further
    std::uint32_t starts = 1;          ///< different starts, of which the best is kept; at most 8
    std::uint32_t effort = 1;          ///< rounds of improvement grow with it
    double load_weight = 0.0;          ///< of the squared load, see point_cover.cpp
    std::span<const float> thickness;  ///< of the solid, by triangle
    double cell = 0.0;                 ///< width of the cells in which the context is gathered
    double slack = 0.0;                ///< see coverage_slack
    std::vector<Ball> start;           ///< a sketch to begin with; empty: from the seeds
    Ball reach;                        ///< the context is complete in this ball; balls beyond it are avoided
    Ball within;                       ///< only what lies in this ball must be covered; radius 0: everything
};

struct FitResult {
    std::vector<Ball> balls;
    std::vector<std::vector<Piece>> owned;  ///< the pieces that each ball answers for; it holds them all
};

/// `pieces` must be covered; `context` (which may be the same) is all the surface that the balls may meet,
/// with outward orientation; there may be no seed. Precondition: at least one piece.
FitResult fit_spheres(const std::vector<Piece>& pieces, const std::vector<Piece>& context,
                      const std::vector<FitSeed>& seeds, const InsideTest& inside, const FitOptions& options);

/// A set of balls before the work of fitting it.
struct Sketch {
    std::vector<Ball> balls;
    double cost = 0.0;  ///< more than that of the fit, by about the same share everywhere
};

/// Sketches with 1, 2, ... `options.count` balls.
std::vector<Sketch> sketch_spheres(const std::vector<Piece>& pieces, const std::vector<Piece>& context,
                                   const std::vector<FitSeed>& seeds, const InsideTest& inside,
                                   const FitOptions& options);

}  // namespace espalier
