// SPDX-License-Identifier: GPL-3.0-or-later
// Covers a part of the surface with a given number of balls of little outside volume: the default method.
#pragma once

#include <cstdint>
#include <vector>

#include "builder/mesh/inside_test.h"
#include "builder/sphere_tree/surface_pieces.h"

namespace espalier {

struct FitOptions {
    std::uint32_t count = 8;      ///< most balls
    double smallest_piece = 0.0;  ///< edge length below which pieces are not split further
    std::uint32_t effort = 2;     ///< number of starts and of exchange rounds grow with it
    std::uint64_t seed = 0;
    double area_weight = 0.0;  ///< of the covered area squared by the radius, see sphere_fit.cpp
    Ball reach;                ///< the context is complete in this ball; balls beyond it are avoided
};

struct FitResult {
    std::vector<Ball> balls;
    std::vector<std::vector<Piece>> owned;  ///< the pieces that each ball answers for; it holds them all
    double outside = 0.0;                   ///< sum of the balls' outside volumes (estimated)
};

/// `medial` are inner balls that the search may start from; there may be none.
/// `pieces` must be covered; `context` (which may be the same) is all the surface that the balls may meet,
/// with outward orientation. Precondition: at least one piece.
FitResult fit_spheres(const std::vector<Piece>& pieces, const std::vector<Piece>& context,
                      const std::vector<Ball>& medial, const InsideTest& inside, const FitOptions& options);

}  // namespace espalier
