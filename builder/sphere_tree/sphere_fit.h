// SPDX-License-Identifier: GPL-3.0-or-later
// Covers a part of the surface with a given number of balls of little outside volume: the default method.
#pragma once

#include <cstdint>
#include <vector>

#include "builder/mesh/inside_test.h"
#include "builder/sphere_tree/distance_grid.h"
#include "builder/sphere_tree/error_price.h"
#include "builder/sphere_tree/surface_pieces.h"

namespace espalier {

/// Where a ball may begin: a point of the surface and the medial ball that touches it.
struct FitSeed {
    Eigen::Vector3d point = Eigen::Vector3d::Zero();
    Ball ball;
};

/// Surface that somebody else answers for.
struct Taken {
    Chain chain;
    bool rival = false;  ///< only what is nearer, in radii, to the first ball of this chain than of one's own
};

struct FitOptions {
    std::uint32_t count = 8;       ///< most balls
    double smallest_piece = 0.0;   ///< edge length below which pieces are not split further
    bool settled = false;          ///< the sketch is no sketch but a fit: begin where it ended
    std::uint32_t start_kind = 0;  ///< different ways to begin without a sketch
    bool exchange = true;          ///< whether balls are exchanged
    std::uint32_t effort = 1;      ///< rounds of improvement grow with it
    double cell = 0.0;             ///< width of the cells in which the context is gathered
    double usual_area = 0.0;       ///< of the surface in a ball; one with more costs more; 0: whatever
    double slack = 0.0;            ///< see coverage_slack
    std::vector<Ball> start;       ///< a sketch to begin with; empty: from the seeds
    Ball reach;                    ///< the context is complete in this ball; balls beyond it are avoided
    Ball parent;                   ///< holds all that must be covered; kept where others are no better
    Chain chain;                   ///< only what lies in it must be covered; empty: everything
    std::vector<Taken> taken;      ///< and not what lies in one of these
    const DistanceGrid* distances = nullptr;
    ErrorPrice price;
};

struct FitResult {
    std::vector<Ball> balls;
    double cost = 0.0;
    double gain = 0.0;  ///< what one ball more would save, or less
    double loss = 0.0;  ///< what one ball less would cost, or more
};

/// Balls that hold the corners of `pieces`, as split where balls meet: whether they cover what is between,
/// is for cover_level to see. `context` (which may be the same) is all the surface that the balls may meet,
/// with outward orientation; there may be no seed. May return no ball where all is taken. Precondition: at
/// least one piece.
FitResult fit_spheres(const std::vector<Piece>& pieces, const std::vector<Piece>& context,
                      const std::vector<FitSeed>& seeds, const InsideTest& inside, const FitOptions& options);

/// A set of balls before the work of fitting it.
struct Sketch {
    std::vector<Ball> balls;
    double cost = 0.0;  ///< by volume alone; more than that of the fit, by about the same share everywhere
};

/// Sketches with 1, 2, ... `options.count` balls.
std::vector<Sketch> sketch_spheres(const std::vector<Piece>& pieces, const std::vector<Piece>& context,
                                   const std::vector<FitSeed>& seeds, const InsideTest& inside,
                                   const FitOptions& options);

}  // namespace espalier
