// SPDX-License-Identifier: GPL-3.0-or-later
// All spheres of a level together, by the default method: every part of the surface is covered by the
// children of one sphere above, whichever does it best, and no child is spent where a neighbour's child is
// already.
#pragma once

#include <cstdint>
#include <vector>

#include "builder/progress.h"
#include "builder/sphere_tree/node_splitter.h"

namespace espalier {

/// The nodes of each sphere of a level.
using Families = std::vector<std::vector<TreeNode>>;

/// The children of each sphere of a level below the root, at least one each and together at most so many
/// times as the tree's branching factor; `level` is theirs. Together they cover the surface: every piece of
/// it lies in a child and in all the spheres above that child. Where `small_enough` is set, a sphere is its
/// own only child.
Families fit_level(const SplitContext& context, const std::vector<TreeNode>& above,
                   const std::vector<std::uint8_t>& small_enough, std::uint32_t level, Progress& progress);

/// The nodes of a set of balls around the whole surface, grown until they cover it.
std::vector<TreeNode> cover_root(const SplitContext& context, std::vector<Ball> balls);

}  // namespace espalier
