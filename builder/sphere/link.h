// SPDX-License-Identifier: GPL-3.0-or-later
// From nodes, level by level, to the spheres of a tree or DAG that know their children and triangles.
#pragma once

#include <cstdint>
#include <vector>

#include "builder/sphere/sphere_tree.h"
#include "builder/sphere/split/node_splitter.h"

namespace espalier {

using NodeLevels = std::vector<std::vector<TreeNode>>;

/// The spheres of all levels with their errors, rounded up; no links yet. Precondition: errors are known.
void append_spheres(const NodeLevels& levels, SphereTree& tree);

/// Children of a tree: `child_counts` has for each level above the last how many of the next level's spheres
/// each sphere has, in order.
void link_tree(const std::vector<std::vector<std::uint32_t>>& child_counts, SphereTree& tree);

/// Children of a DAG: the spheres of the next level that meet what of the surface a sphere covers.
void link_dag(const SplitContext& context, const NodeLevels& levels, SphereTree& tree);

/// Lists the triangles that meet each sphere of the last level.
void list_leaf_triangles(const SplitContext& context, const NodeLevels& levels, SphereTree& tree);

}  // namespace espalier
