// SPDX-License-Identifier: GPL-3.0-or-later
// The root's children by the default method. All that is below depends on them.
#pragma once

#include <cstdint>
#include <vector>

#include "builder/sphere_tree/node_splitter.h"

namespace espalier {

/// At most `branch` balls around the whole surface, see fit_spheres. `level` is theirs.
std::vector<Ball> fit_root(const SplitContext& context, std::uint32_t branch, std::uint32_t level);

}  // namespace espalier
