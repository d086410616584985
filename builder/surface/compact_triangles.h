// SPDX-License-Identifier: GPL-3.0-or-later
// Other triangles for the same surface, where those of the mesh are long slivers.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "builder/surface/triangle_mesh.h"

namespace espalier {

using CornerPoints = std::array<Eigen::Vector3d, 3>;

/// The triangles of the mesh, except that flat regions made of slivers (polygons with very many corners) are
/// given by others, as compact as their outlines allow. Those may overlap with opposite orientations: what
/// they have in common with the region is every integral over it, and its solid angle from any point that is
/// not within a millionth of the mesh's size of the region.
std::vector<CornerPoints> compact_triangles(const TriangleMesh& mesh);

}  // namespace espalier
