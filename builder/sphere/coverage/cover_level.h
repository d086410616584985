// SPDX-License-Identifier: GPL-3.0-or-later
// From balls that cover points of the surface to balls that cover all of it.
#pragma once

#include <vector>

#include "builder/sphere/coverage/siblings.h"
#include "builder/surface/triangle_boxes.h"
#include "builder/surface/triangle_mesh.h"

namespace espalier {

/// Grows children until every piece of the surface lies in one of them and in its ancestors. A piece that
/// does not is split while it is longer than its group's smallest, and farther down where a child would
/// have to come from far away although others may do; what is left goes to the child whose volume grows
/// least. If that one is far away and it is less, a parent grows with one of its children. Precondition: the
/// ancestors cover the surface in the same sense.
void cover_level(const TriangleMesh& mesh, const TriangleBoxes& boxes, std::vector<Siblings>& groups,
                 double slack);

}  // namespace espalier
