// SPDX-License-Identifier: GPL-3.0-or-later
// Meshes and sphere trees back from an asset.
#pragma once

#include "builder/sphere/sphere_tree.h"
#include "builder/surface/triangle_mesh.h"
#include "espalier/asset.h"

namespace espalier {

/// The triangles of a verified part, in the order of the file.
TriangleMesh stored_mesh(const PartView& part);

/// The sphere tree of a verified part that has one; triangles in the order of the file.
SphereTree stored_sphere_tree(const PartView& part);

}  // namespace espalier
