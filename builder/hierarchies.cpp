// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/hierarchies.h"

#include <algorithm>

#include "builder/aabb/row.h"
#include "builder/box/row.h"
#include "builder/cell/row.h"
#include "builder/sphere/row.h"

namespace espalier {

HierarchyRows all_hierarchies() {
    static constexpr const Hierarchy* kAll[] = {&kAabbHierarchy, &kBoxHierarchy, &kSphereHierarchy,
                                                &kCellHierarchy};
    return kAll;
}

std::vector<const Hierarchy*> ranked(HierarchyRows list, int HierarchyRanks::*rank) {
    std::vector<const Hierarchy*> rows(list.begin(), list.end());
    std::ranges::stable_sort(
        rows, [&](const Hierarchy* a, const Hierarchy* b) { return a->ranks.*rank < b->ranks.*rank; });
    return rows;
}

const Hierarchy* find_hierarchy(std::string_view name, HierarchyRows list) {
    const auto found = std::ranges::find_if(list, [&](const Hierarchy* row) { return row->name == name; });
    return found == list.end() ? nullptr : *found;
}

std::vector<TreeRequest> default_trees(HierarchyRows list) {
    std::vector<TreeRequest> trees;
    for (const Hierarchy* row : list)
        if (row->by_default) trees.push_back({row, row->default_options()});
    return trees;
}

}  // namespace espalier
