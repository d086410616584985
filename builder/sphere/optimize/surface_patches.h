// SPDX-License-Identifier: GPL-3.0-or-later
// The surface in small patches, each in a ball of its own: a sphere around that ball covers the patch, so
// spheres around all these balls cover the surface.
#pragma once

#include <vector>

#include "builder/surface/surface_pieces.h"
#include "builder/surface/triangle_mesh.h"

namespace espalier {

/// Pieces of the surface that lie in a ball.
struct Patch {
    Ball ball;
    std::vector<Piece> pieces;
};

/// Appends the patch in parts, none in a ball larger than `radius`; neighbours follow each other.
void append_split(Patch patch, double radius, std::vector<Patch>& patches);

/// The normal of a patch that is flat, nearly; 0 otherwise.
Eigen::Vector3d normal_of(const Patch& patch);

/// The whole surface in patches up to `radius`.
std::vector<Patch> surface_patches(const TriangleMesh& mesh, double radius);

}  // namespace espalier
