// SPDX-License-Identifier: GPL-3.0-or-later
// All spheres of a level at once, by the default method: every part of the surface is covered by the children
// of one sphere above, whichever does it best, and no child is spent where a neighbour's child is already.
#pragma once

#include <cstdint>
#include <vector>

#include "builder/progress.h"
#include "builder/sphere_tree/node_splitter.h"

namespace espalier {

/// The children of each sphere of a level, at least one each; `level` is theirs. Together they cover the
/// surface: every piece of it lies in a child and in all the spheres above that child. `branch` is the mean
/// number of children at most. Where `small_enough` says so, a sphere is its own only child.
std::vector<std::vector<TreeNode>> fit_level(const SplitContext& context, const std::vector<TreeNode>& above,
                                             const std::vector<std::uint8_t>& small_enough,
                                             std::uint32_t level, Progress& progress, std::uint32_t branch);

/// Spheres with a common parent, under construction.
struct Family {
    Chain chain;                 ///< the parent and all above; empty: the root
    std::vector<Ball> children;  ///< at least one
    double smallest_piece = 0.0;
};

/// Grows children until every piece of the surface lies in one of them and in its chain. A piece that does
/// not is split while it is longer than its family's smallest; what is left goes to the child whose volume
/// grows least. Precondition: the chains cover the surface in the same sense.
void cover_level(const TriangleMesh& mesh, const TriangleBoxes& boxes, std::vector<Family>& families,
                 double slack);

}  // namespace espalier
