// SPDX-License-Identifier: GPL-3.0-or-later
// A walk over all nodes of a stored box tree, for the visitors of builder/hierarchy/tree_visitors.h.
#pragma once

#include <algorithm>

#include "builder/hierarchy/tree_visitors.h"
#include "runtime/src/box/codec.h"

namespace espalier {

/// Visits a node and all below it; verified trees are at most kMaxBoxDepth deep.
template <class Visitor>
void walk_box_node(const ShapeView& part, const BoxRange& range, const BoxVolume& volume, std::size_t level,
                   Visitor& visitor) {
    if (range.leaves == 1) {
        const std::uint32_t begin = range.first * part.box.leaf_triangles;
        const std::uint32_t count = std::min(part.box.leaf_triangles, part.mesh.triangle_count - begin);
        visitor.leaf(level, volume, LeafRange{begin, count, range.first});
        return;
    }
    visitor.inner(level, volume);
    const BoxNode& node = part.box.nodes[range.node];
    const std::uint32_t left = left_leaves(node, range.leaves);
    walk_box_node(part, left_child(range, left), child_box(node, volume, 0), level + 1, visitor);
    walk_box_node(part, right_child(range, left), child_box(node, volume, 1), level + 1, visitor);
}

template <class Visitor>
void walk_box_tree(const ShapeView& part, Visitor& visitor) {
    walk_box_node(part, BoxRange{0, part.box.leaf_count, 0}, root_box(part.box), 0, visitor);
}

}  // namespace espalier
