// SPDX-License-Identifier: GPL-3.0-or-later
// What of the surface one ball of many covers alone.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "builder/mesh/triangle_mesh.h"
#include "builder/sphere_tree/surface_pieces.h"
#include "builder/sphere_tree/triangle_boxes.h"

namespace espalier {

/// A ball that covers what lies in it and in all of a chain.
struct ChainedBall {
    Ball ball;
    const Chain* chain;
};

/// The corners of the pieces that lie in a ball and in none of the others: whatever ball holds these corners
/// can take its place. Pieces across a boundary are split while they are longer than `smallest`, and some
/// more where they are in no ball as a whole.
std::vector<Eigen::Vector3d> corners_only_in(const TriangleMesh& mesh, const TriangleBoxes& boxes,
                                             const ChainedBall& ball, const std::vector<ChainedBall>& others,
                                             double smallest, double slack);

}  // namespace espalier
