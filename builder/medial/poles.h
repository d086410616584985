// SPDX-License-Identifier: GPL-3.0-or-later
// Poles (Amenta et al. 1998): of the medial balls that a sample of the surface forms, the largest. It is near
// the true medial axis where other Voronoi vertices need not be, and tells how thick the solid is there.
#pragma once

#include <cstdint>
#include <vector>

#include "builder/medial/medial_set.h"
#include "builder/mesh/triangle_mesh.h"

namespace espalier {

/// By sample: the index of its pole in `set.balls`.
std::vector<std::uint32_t> poles_of(const MedialSet& set);

/// By triangle: the mean radius of its samples' poles; that of the nearest sample where it has none.
std::vector<float> thickness_by_triangle(const TriangleMesh& mesh, const MedialSet& set,
                                         const std::vector<std::uint32_t>& poles);

}  // namespace espalier
