// SPDX-License-Identifier: GPL-3.0-or-later
// Full coverage without covering twice: what a sphere covers beyond its own children is covered by those of
// its neighbours, and it shares them.
#pragma once

#include "builder/sphere/sphere_tree.h"
#include "builder/surface/triangle_boxes.h"
#include "builder/surface/triangle_mesh.h"

namespace espalier {

/// Lists for each sphere above the last level the spheres of the next one, beside its own children, that
/// cover pieces of the surface inside it which no child of its own covers. Precondition: a tree every level
/// of which covers the surface; it has no such lists yet.
void share_children(const TriangleMesh& mesh, const TriangleBoxes& boxes, SphereTree& tree);

}  // namespace espalier
