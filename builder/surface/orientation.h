// SPDX-License-Identifier: GPL-3.0-or-later
// Triangles turned alike.
#pragma once

#include "builder/surface/triangle_mesh.h"

namespace espalier {

/// Turns triangles so that those on either side of an edge that has two agree; of each connected set the
/// larger part stays. False, and the mesh as it was, if some surface has one side only. Edges of more than
/// two triangles connect nothing.
bool orient(TriangleMesh& mesh);

}  // namespace espalier
