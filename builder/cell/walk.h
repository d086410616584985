// SPDX-License-Identifier: GPL-3.0-or-later
// A walk over all nodes of a stored cell tree, for the visitors of builder/hierarchy/tree_visitors.h and for
// those that also have empty(level, volume).
#pragma once

#include "builder/hierarchy/tree_visitors.h"
#include "runtime/src/cell/codec.h"

namespace espalier {

/// Visits a node and all below it; verified trees are at most kMaxCellDepth deep.
/// @param delta half thickness of the cuts: the tree's, or 0 for cells that fill the bounds once
template <class Visitor>
void walk_cell_node(const CellTreeView& tree, float delta, const CellRange& range, const CellVolume& volume,
                    std::size_t level, Visitor& visitor) {
    if (range.empty()) {
        if constexpr (requires { visitor.empty(level, volume); }) visitor.empty(level, volume);
        return;
    }
    if (range.leaf()) {
        const CellLists lists = cell_leaf_lists(tree.nodes, range);
        visitor.leaf(level, volume, LeafRange{lists.first_triangle, lists.triangle_count, range.node});
        return;
    }
    visitor.inner(level, volume);
    for (unsigned child = 0; child < 2; ++child)
        walk_cell_node(tree, delta, cell_child(tree.nodes, range, child),
                       child_cell(tree.nodes[range.node], delta, volume, child), level + 1, visitor);
}

template <class Visitor>
void walk_cell_tree(const CellTreeView& tree, float delta, Visitor& visitor) {
    walk_cell_node(tree, delta, CellRange{0, tree.unit_count}, root_cell(tree), 0, visitor);
}

}  // namespace espalier
