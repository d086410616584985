// SPDX-License-Identifier: GPL-3.0-or-later
// The connected pieces of a surface, by their boxes: what a sphere query needs to know that no piece of one
// part hides inside the other (schema/FORMAT.md, "What a pair of spheres proves").
#pragma once

#include <cstddef>
#include <vector>

#include "builder/surface/triangle_mesh.h"
#include "espalier/asset.h"

namespace espalier {

/// More pieces than this are not recorded: a query would spend longer on them than they save.
constexpr std::size_t kMostShells = 64;

/// Least box of each set of triangles that hang together through shared corners, by the first triangle of
/// each; nothing when there are more than kMostShells.
std::vector<StoredBox> shells_of(const TriangleMesh& mesh);

}  // namespace espalier
