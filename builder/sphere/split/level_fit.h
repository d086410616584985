// SPDX-License-Identifier: GPL-3.0-or-later
// All spheres of a level together, by the default method: every part of the surface is covered by the
// children of one sphere above, whichever does it best, and no child is spent where a neighbour's child is
// already.
#pragma once

#include <cstdint>
#include <vector>

#include "builder/base/progress.h"
#include "builder/sphere/split/node_splitter.h"

namespace espalier {

/// How many spheres a level may have.
struct LevelCount {
    std::size_t most = 0;
    std::size_t tried = 0;  ///< this number was no better than the level above: more are begun with
};

/// The children of each sphere of a level, at least one each and together at most `count.most`. Together they
/// cover the surface: every piece of it lies in a child and in all the spheres above that child. Spheres of
/// the level above may grow a little for that; their errors are unknown then. Where `small_enough` is set, a
/// sphere is its own only child. Preconditions: errors of the level above are known; `count.most` is at
/// least its size.
ChildLists fit_level(const SplitContext& context, std::vector<TreeNode>& above,
                     const std::vector<std::uint8_t>& small_enough, const LevelCount& count,
                     Progress& progress);

}  // namespace espalier
