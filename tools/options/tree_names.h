// SPDX-License-Identifier: GPL-3.0-or-later
// The hierarchies by their names on the command line.
#pragma once

#include <string_view>
#include <vector>

#include "builder/hierarchies.h"

namespace espalier::tools {

/// The rows as people see them.
inline std::vector<const Hierarchy*> shown_hierarchies() {
    return ranked(all_hierarchies(), &HierarchyRanks::shown);
}

/// Their names.
inline std::vector<std::string_view> tree_names() {
    std::vector<std::string_view> names;
    for (const Hierarchy* row : shown_hierarchies()) names.push_back(row->name);
    return names;
}

}  // namespace espalier::tools
