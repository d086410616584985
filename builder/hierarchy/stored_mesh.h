// SPDX-License-Identifier: GPL-3.0-or-later
// A mesh back from an asset.
#pragma once

#include "builder/surface/triangle_mesh.h"
#include "espalier/asset.h"

namespace espalier {

/// The triangles of a verified part, in the order of the file.
TriangleMesh stored_mesh(const ShapeView& part);

}  // namespace espalier
