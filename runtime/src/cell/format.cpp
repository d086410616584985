// SPDX-License-Identifier: MIT
// A cell tree in the file: units in preorder, and the lists of its leaves.
#include "format.h"

#include "../base/assert.h"
#include "../format/fields.h"
#include "codec.h"

namespace espalier {
namespace {

/// A cell tree's units say where everything is, and its leaves' lists follow each other, so one walk in
/// preorder with two running counters proves that every unit and every entry belongs to one leaf.
class CellTreeWalk {
  public:
    explicit CellTreeWalk(const CellTreeView& tree) : tree_(tree) {}

    Status run() {
        if (tree_.depth > kMaxCellDepth) return Status::kTooDeep;
        CellRange range{0, tree_.unit_count};
        std::uint32_t depth = 0;
        for (;;) {
            if (range.leaf()) {
                if (!take_leaf(cell_leaf_lists(tree_.nodes, range))) return Status::kCorruptTree;
                if (depth > deepest_) deepest_ = depth;
                if (waiting_ == 0) break;
                range = right_[--waiting_];
                depth = level_[waiting_];
                continue;
            }
            if (depth == tree_.depth || !proper_cut(range)) return Status::kCorruptTree;
            ++depth;
            const CellRange left = cell_child(tree_.nodes, range, 0),
                            right = cell_child(tree_.nodes, range, 1);
            if (!left.empty() && !right.empty()) {
                ESPALIER_ASSERT(waiting_ < kMaxCellDepth);
                level_[waiting_] = depth;
                right_[waiting_++] = right;
            }
            range = left.empty() ? right : left;
        }
        const bool complete = deepest_ == tree_.depth && next_triangle_ == tree_.triangle_entries &&
                              next_edge_ == tree_.edge_entries;
        return complete ? Status::kOk : Status::kCorruptTree;
    }

  private:
    /// Neither child may be a lone unit, which is half of a leaf; not both can be empty, since there are
    /// units left to share.
    bool proper_cut(const CellRange& range) const {
        if (range.units < 1 + kCellLeafUnits) return false;
        const CellNode& node = tree_.nodes[range.node];
        const std::uint32_t left = cell_left_units(node);
        return cell_axis(node) < 3 && left < range.units && left != 1 && range.units - 1 - left != 1 &&
               finite(cell_cut(node));
    }

    bool take_leaf(const CellLists& lists) {
        if (lists.triangle_count == 0 && lists.edge_count == 0) return false;
        if (lists.first_triangle != next_triangle_ || lists.first_edge != next_edge_) return false;
        if (lists.triangle_count > tree_.triangle_entries - next_triangle_ ||
            lists.edge_count > tree_.edge_entries - next_edge_)
            return false;
        next_triangle_ += lists.triangle_count;
        next_edge_ += lists.edge_count;
        return true;
    }

    const CellTreeView& tree_;
    std::uint32_t next_triangle_ = 0, next_edge_ = 0;
    std::uint32_t waiting_ = 0, deepest_ = 0;
    CellRange right_[kMaxCellDepth];  // right children still to visit, at most one a level
    std::uint32_t level_[kMaxCellDepth];
};

}  // namespace

Status CellFormat::read(const Table& table, const MeshView&, CellTreeView* tree) {
    const VectorRange nodes = table.vector(kNodes, sizeof(CellNode), alignof(CellNode));
    const VectorRange triangles = table.words(kTriangles);
    const VectorRange edges = table.words(kEdges);
    if (!nodes.valid() || nodes.count == 0 || !triangles.valid() || !edges.valid()) return Status::kCorrupt;
    if (!table.box(kBounds, tree->lo, tree->hi)) return Status::kCorrupt;
    tree->nodes = elements_of<CellNode>(nodes);
    tree->unit_count = nodes.count;
    tree->depth = table.word(kDepth);
    tree->delta = table.scalar<float>(kDelta, 0);
    tree->triangles = elements_of<std::uint32_t>(triangles);
    tree->triangle_entries = triangles.count;
    tree->edges = elements_of<std::uint32_t>(edges);
    tree->edge_entries = edges.count;
    return Status::kOk;
}

Status CellFormat::verify(const CellTreeView& tree, const MeshView& mesh) {
    if (!proper_box(tree.lo, tree.hi) || !(tree.delta >= 0) || !finite(tree.delta))
        return Status::kCorruptTree;
    // The mesh's indices are fewer than 2^30.
    const std::uint32_t triangles = mesh.triangle_count;
    if (!entries_below(tree.triangles, tree.triangle_entries, triangles) ||
        !entries_below(tree.edges, tree.edge_entries, 3 * triangles))
        return Status::kCorruptTree;
    return CellTreeWalk(tree).run();
}

}  // namespace espalier
