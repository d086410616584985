// SPDX-License-Identifier: MIT
// Full verification of sphere trees.
#pragma once

#include "espalier/asset.h"

namespace espalier {

/// Checks what queries on the tree rely on: finite spheres, children on the next level, triangles in range.
/// Levels and lengths were checked when the part was read. Linear in the tree's size; true for no tree.
Status verify_sphere_tree(const SphereTreeView& tree, std::uint32_t triangle_count);

/// Bytes of the tree in the file, each vector counted once.
std::uint64_t sphere_tree_bytes(const SphereTreeView& tree);

}  // namespace espalier
