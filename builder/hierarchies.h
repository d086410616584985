// SPDX-License-Identifier: GPL-3.0-or-later
// The list of all hierarchies.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "builder/hierarchy/hierarchy.h"

namespace espalier {

/// Rows, by address. Functions that loop over rows take such a list, so that a test can add one of its own.
using HierarchyRows = std::span<const Hierarchy* const>;

/// All hierarchies, in the order in which an asset records them. The order reaches the bytes of every file:
/// new ones go to the end.
HierarchyRows all_hierarchies();

/// The same rows by a rank, the least first.
std::vector<const Hierarchy*> ranked(HierarchyRows list, int HierarchyRanks::*rank);

/// The row of a name, or null.
const Hierarchy* find_hierarchy(std::string_view name, HierarchyRows list = all_hierarchies());

/// Those that are baked unless others are asked for, with their default options.
std::vector<TreeRequest> default_trees(HierarchyRows list = all_hierarchies());

}  // namespace espalier
