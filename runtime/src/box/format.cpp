// SPDX-License-Identifier: MIT
// A box tree in the file: one node less than leaves, in preorder.
#include "format.h"

#include "../base/assert.h"
#include "../format/fields.h"
#include "codec.h"

namespace espalier {
namespace {

/// A box tree's node fixes where its children are, so its shape is proved by every left count lying strictly
/// between nothing and all of its node's leaves, and by the depth.
Status verify_shape(const BoxTreeView& tree) {
    if (tree.depth > kMaxBoxDepth) return Status::kTooDeep;
    BoxRange right[kMaxBoxDepth];  // right children still to visit, at most one a level
    std::uint32_t level[kMaxBoxDepth];
    std::uint32_t waiting = 0, depth = 0, deepest = 0;
    BoxRange range{0, tree.leaf_count, 0};
    for (;;) {
        if (range.leaves == 1) {
            if (depth > deepest) deepest = depth;
            if (waiting == 0) break;
            range = right[--waiting];
            depth = level[waiting];
            continue;
        }
        const std::uint32_t left = left_leaves(tree.nodes[range.node], range.leaves);
        if (left == 0 || left >= range.leaves || depth == tree.depth) return Status::kCorruptTree;
        ++depth;
        ESPALIER_ASSERT(waiting < kMaxBoxDepth);
        level[waiting] = depth;
        right[waiting++] = right_child(range, left);
        range = left_child(range, left);
    }
    return deepest == tree.depth ? Status::kOk : Status::kCorruptTree;
}

}  // namespace

Status BoxFormat::read(const Table& table, const MeshView& mesh, BoxTreeView* tree) {
    const std::uint32_t triangle_count = mesh.triangle_count;
    const VectorRange nodes = table.vector(kNodes, sizeof(BoxNode), alignof(BoxNode));
    const std::uint32_t leaf = table.word(kLeafTriangles);
    if (!nodes.valid() || leaf == 0 || leaf > kMaxLeafTriangles) return Status::kCorrupt;
    if (nodes.count != (triangle_count - 1) / leaf) return Status::kCorrupt;
    if (!read_per_triangle(table, kTriangleOrder, triangle_count, &tree->triangle_order))
        return Status::kCorrupt;
    if (!table.box(kBounds, tree->lo, tree->hi)) return Status::kCorrupt;
    tree->nodes = elements_of<BoxNode>(nodes);
    tree->leaf_count = nodes.count + 1;
    tree->leaf_triangles = leaf;
    tree->depth = table.word(kDepth);
    return Status::kOk;
}

Status BoxFormat::verify(const BoxTreeView& tree, const MeshView& mesh) {
    if (!proper_box(tree.lo, tree.hi)) return Status::kCorruptTree;
    if (!order_in_range(tree.triangle_order, mesh.triangle_count)) return Status::kCorruptTree;
    return verify_shape(tree);
}

}  // namespace espalier
