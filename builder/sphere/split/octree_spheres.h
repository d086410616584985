// SPDX-License-Identifier: GPL-3.0-or-later
// The octree sphere tree (Hubbard 1996, section 4.1; Liu et al. 1988), the baseline of every comparison.
#pragma once

#include <vector>

#include "builder/surface/surface_pieces.h"

namespace espalier {

/// A cube and the pieces of the surface in it.
struct Octant {
    Eigen::Vector3d center = Eigen::Vector3d::Zero();
    double half = 0.0;  ///< half of the edge
    std::vector<Piece> pieces;
};

/// The smallest cube around the pieces' bounding box, centred with it. Precondition: at least one piece.
Octant root_octant(std::vector<Piece> pieces);

/// The circumscribed sphere of an octant.
Ball octant_ball(const Octant& octant);

/// The occupied ones of the eight octants below. Pieces across a boundary are split down to 1/64 of the edge;
/// what is left belongs to the octant of its centroid, whose sphere may need to grow by that much.
std::vector<Octant> occupied_octants(const Octant& octant);

}  // namespace espalier
