// SPDX-License-Identifier: GPL-3.0-or-later
// The proof of coverage for who has the mesh's boxes already; see check_sphere_coverage in sphere_tree.h.
#pragma once

#include <span>

#include "builder/sphere/coverage/volume_coverage.h"
#include "builder/sphere/sphere_tree.h"
#include "builder/surface/triangle_boxes.h"

namespace espalier {

/// The surface that spheres are to cover; borrowed. Preconditions: `boxes` and `volume` are of `mesh`;
/// `volume` is not null if it is to be proved.
struct CoveredSurface {
    const TriangleMesh& mesh;
    const TriangleBoxes& boxes;
    const SolidVolume* volume = nullptr;
};

Result<CoverageReport> check_sphere_coverage(const CoveredSurface& surface, const SphereTreeSpans& tree,
                                             std::span<const std::uint32_t> leaf_triangles);

}  // namespace espalier
