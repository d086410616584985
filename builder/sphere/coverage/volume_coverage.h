// SPDX-License-Identifier: GPL-3.0-or-later
// Proof that balls cover the inside of a solid, for planners that must not tunnel through it.
#pragma once

#include <span>
#include <vector>

#include "builder/surface/solid.h"
#include "builder/surface/surface_pieces.h"
#include "builder/surface/triangle_boxes.h"
#include "builder/surface/triangle_mesh.h"

namespace espalier {

/// A solid whose volume spheres are to cover; borrowed.
struct SolidVolume {
    const Solid& solid;
    const TriangleBoxes& boxes;  ///< of its boundary
};

/// True only if every point inside the solid lies in a ball: an octree over the mesh's bounding box whose
/// cells end in one ball or certainly outside the solid. False for shells. Ball radii
/// must be safe (less the slack of coverage_slack).
bool volume_covered(const SolidVolume& volume, std::span<const Ball> balls);

/// Grows balls, the cheapest first, until the volume is covered so that volume_covered will find it: an
/// octree whose cells end in one ball, outside the solid, or, at 1/2048 of the bounding box, by growing the
/// ball that needs least. Does nothing for shells. Precondition: the balls cover the
/// surface.
void cover_volume(const SolidVolume& volume, std::vector<Ball>& balls);

}  // namespace espalier
