// SPDX-License-Identifier: GPL-3.0-or-later
// A sphere tree back from an asset.
#pragma once

#include "builder/sphere/sphere_tree.h"
#include "espalier/asset.h"

namespace espalier {

/// What the errors of a stored tree count from.
SolidKind stored_solid(const SphereTreeView& tree);

/// The sphere tree of a verified part that has one; triangles in the order of the file.
SphereTree stored_sphere_tree(const ShapeView& part);

}  // namespace espalier
