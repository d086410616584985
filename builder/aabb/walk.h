// SPDX-License-Identifier: GPL-3.0-or-later
// A walk over all nodes of a stored aabb tree, for the visitors of builder/hierarchy/tree_visitors.h.
#pragma once

#include "builder/hierarchy/tree_visitors.h"
#include "runtime/src/aabb/codec.h"

namespace espalier {

/// Visits a node and all below it; verified trees are at most kMaxAabbDepth deep. Leaves are called by the
/// node that they hang from.
template <class Visitor>
void walk_aabb_node(const AabbTreeView& tree, std::uint32_t index, const AabbVolume& volume,
                    std::size_t level, Visitor& visitor) {
    visitor.inner(level, volume);
    const AabbNode& node = tree.nodes[index];
    std::uint32_t next_child = node.first_child, next_triangle = node.first_triangle;
    for (unsigned lane = 0; lane < 4; ++lane) {
        const std::uint8_t kind = node.kind[lane];
        if (kind == kChildNone) continue;
        const AabbVolume child = decode_child(node, volume, lane);
        if (kind == kChildInner) {
            walk_aabb_node(tree, next_child++, child, level + 1, visitor);
        } else {
            visitor.leaf(level + 1, child, LeafRange{next_triangle, kind, index});
            next_triangle += kind;
        }
    }
}

template <class Visitor>
void walk_aabb_tree(const AabbTreeView& tree, Visitor& visitor) {
    walk_aabb_node(tree, 0, root_volume(tree), 0, visitor);
}

}  // namespace espalier
