// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the surface that a set of balls has to cover, as pieces of triangles.
#pragma once

#include <vector>

#include "builder/surface/surface_pieces.h"
#include "builder/surface/triangle_boxes.h"
#include "builder/surface/triangle_mesh.h"

namespace espalier {

/// Splits every piece until no edge is longer than `size`, in place of the piece; stops early at `most`
/// pieces.
std::vector<Piece> refine_pieces(const std::vector<Piece>& pieces, double size, std::size_t most);

/// The pieces of the surface that the ball meets, with edges up to `size`; pieces across the ball's boundary
/// are split down to `boundary_size`, and what is certainly outside (by `slack`, see coverage_slack) is left
/// out.
std::vector<Piece> pieces_in_ball(const TriangleMesh& mesh, const TriangleBoxes& boxes, const Ball& ball,
                                  double size, double boundary_size, double slack);

/// The least float32 that is not below `value`.
float round_up(double value);

/// The ball with float32 centre and radius that contains `ball` and the slack of a coverage proof.
Ball round_outward(const Ball& ball, double slack);

}  // namespace espalier
