// SPDX-License-Identifier: MIT
// An aabb tree is accepted only in the one canonical order (preorder, siblings together), so running counters
// prove that each node has one parent, each triangle one leaf, and that no path is longer than the stack.
#include "format.h"

#include "../base/assert.h"
#include "../format/fields.h"

namespace espalier {
namespace {

/// Nodes are read by aligned loads of 16 bytes.
constexpr std::uint32_t kNodeAlignment = 16;

/// Walks the tree in its canonical order.
class AabbTreeWalk {
  public:
    AabbTreeWalk(const AabbTreeView& tree, std::uint32_t triangle_count)
        : tree_(tree), triangle_count_(triangle_count) {}

    Status run() {
        if (tree_.depth == 0) return Status::kCorruptTree;
        if (tree_.depth > kMaxAabbDepth) return Status::kTooDeep;
        Status status = enter(0);
        while (status == Status::kOk && level_ > 0) {
            Level& top = levels_[level_ - 1];
            if (top.remaining == 0) {
                --level_;
                continue;
            }
            --top.remaining;
            status = enter(top.next++);
        }
        if (status != Status::kOk) return status;
        const bool complete =
            next_node_ == tree_.node_count && next_triangle_ == triangle_count_ && deepest_ == tree_.depth;
        return complete ? Status::kOk : Status::kCorruptTree;
    }

  private:
    struct Level {
        std::uint32_t next;
        std::uint32_t remaining;
    };

    /// Checks one node and pushes its inner children. Pushes at most `depth` levels, so the stack cannot
    /// overflow.
    Status enter(std::uint32_t index) {
        if (level_ == tree_.depth) return Status::kCorruptTree;
        const AabbNode& node = tree_.nodes[index];
        std::uint32_t inner = 0;
        std::uint32_t leaf_triangles = 0;
        for (int child = 0; child < 4; ++child) {
            const std::uint8_t kind = node.kind[child];
            if (kind == kChildInner)
                ++inner;
            else if (kind <= kMaxLeafTriangles)
                leaf_triangles += kind;
            else
                return Status::kCorruptTree;
        }
        if (inner + leaf_triangles == 0 || node.reserved != 0) return Status::kCorruptTree;
        if (node.first_child != next_node_ || inner > tree_.node_count - next_node_)
            return Status::kCorruptTree;
        if (node.first_triangle != next_triangle_ || leaf_triangles > triangle_count_ - next_triangle_)
            return Status::kCorruptTree;
        next_node_ += inner;
        next_triangle_ += leaf_triangles;
        ESPALIER_ASSERT(level_ < kMaxAabbDepth);
        levels_[level_++] = Level{node.first_child, inner};
        if (level_ > deepest_) deepest_ = level_;
        return Status::kOk;
    }

    const AabbTreeView& tree_;
    std::uint32_t triangle_count_;
    std::uint32_t next_node_ = 1;
    std::uint32_t next_triangle_ = 0;
    std::uint32_t level_ = 0;
    std::uint32_t deepest_ = 0;
    Level levels_[kMaxAabbDepth];
};

}  // namespace

Status AabbFormat::read(const Table& table, const MeshView& mesh, AabbTreeView* tree) {
    const VectorRange nodes = table.vector(kNodes, sizeof(AabbNode), kNodeAlignment);
    if (!nodes.valid() || nodes.count == 0) return Status::kCorrupt;
    if (!read_per_triangle(table, kTriangleOrder, mesh.triangle_count, &tree->triangle_order))
        return Status::kCorrupt;
    if (!table.box(kBounds, tree->lo, tree->hi)) return Status::kCorrupt;
    tree->nodes = elements_of<AabbNode>(nodes);
    tree->node_count = nodes.count;
    tree->depth = table.word(kDepth);
    return Status::kOk;
}

Status AabbFormat::verify(const AabbTreeView& tree, const MeshView& mesh) {
    if (!proper_box(tree.lo, tree.hi)) return Status::kCorruptTree;
    if (!order_in_range(tree.triangle_order, mesh.triangle_count)) return Status::kCorruptTree;
    return AabbTreeWalk(tree, mesh.triangle_count).run();
}

}  // namespace espalier
