// SPDX-License-Identifier: GPL-3.0-or-later
// The connected pieces of a surface, by their boxes: what a sphere query needs to know that no piece of one
// part hides inside the other (schema/FORMAT.md, "What a pair of spheres proves").
#pragma once

#include <cstddef>
#include <vector>

#include "builder/surface/triangle_mesh.h"
#include "espalier/asset.h"

namespace espalier {

/// Pieces: where there are more, none is recorded, since a query would spend longer on them than they save.
/// The runtime tests as many (runtime/src/sphere/shells.h); another number changes baked files.
constexpr std::size_t kMaxPieces = 64;

/// Least box of each set of triangles that hang together through shared corners, by the first triangle of
/// each; nothing when there are more than kMaxPieces.
std::vector<StoredBox> connected_pieces(const TriangleMesh& mesh);

}  // namespace espalier
