// SPDX-License-Identifier: GPL-3.0-or-later
// As many balls as wanted that hold the surface together, with little volume outside the solid and none that
// sticks out far: the default method.
#pragma once

#include <cstdint>
#include <vector>

#include "builder/base/progress.h"
#include "builder/surface/inside_test.h"
#include "builder/surface/surface_pieces.h"
#include "builder/surface/surface_query.h"
#include "builder/surface/triangle_boxes.h"

namespace espalier {

/// A ball and the sphere above that it is a child of.
struct Seat {
    Ball ball;
    std::uint32_t parent = 0;
    bool fixed = false;  ///< to be kept as it is: the only child of its parent, and the same ball
};

/// What balls are fitted to; borrowed.
struct FitSurface {
    const TriangleMesh& mesh;
    const InsideTest& inside;
    const SurfaceQuery& query;
    const TriangleBoxes& boxes;
    double area = 0.0;
    double extent = 0.0;  ///< from corner to corner
    double slack = 0.0;   ///< see coverage_slack
};

struct FitOptions {
    std::size_t count = 8;            ///< most balls
    std::uint32_t most_children = 8;  ///< of one parent
    std::uint32_t starts = 1;         ///< sets that are begun differently, of which the best goes on
    double reach = 0.0;               ///< no ball sticks out farther
    double tries = 32.0;              ///< random changes for each ball
    bool cover = true;            ///< or hold patches by a share of their size, and leave gaps between them
    double smallest_piece = 0.0;  ///< pieces are not split below this length
};

/// Balls that hold points of the surface, each of them in a ball and in the chain of its parent; what is
/// between them is for cover_level, which may make parents grow. Parents may be left without a ball.
/// Preconditions: `start` covers the surface in the same sense, with balls inside their parents' chains;
/// there is at least one parent, whose chain may be empty; not more of `start` than `count`.
std::vector<Seat> fit_balls(const FitSurface& surface, std::vector<Chain>& parents, std::vector<Seat> start,
                            const FitOptions& options, Progress& progress);

}  // namespace espalier
