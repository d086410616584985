// SPDX-License-Identifier: GPL-3.0-or-later
// The sphere tree's table of an asset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "builder/sphere/sphere_tree.h"
#include "builder/surface/triangle_mesh.h"
#include "espalier_generated.h"

namespace espalier {

/// Bytes of the tree's vectors.
std::size_t sphere_tree_payload(const SphereTree& tree);

/// Writes the table. `stored` maps the triangles that the tree names to their places in the file, `mesh` is
/// the mesh as it is stored.
flatbuffers::Offset<schema::SphereTree> write_sphere_tree(flatbuffers::FlatBufferBuilder& builder,
                                                          const SphereTree& tree,
                                                          const std::vector<std::uint32_t>& stored,
                                                          const TriangleMesh& mesh);

}  // namespace espalier
