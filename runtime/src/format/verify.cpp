// SPDX-License-Identifier: MIT
// Full verification. A tree is accepted only in the one canonical order (preorder, siblings together), so
// running counters prove that each node has one parent, each triangle one leaf, and that no path is longer
// than the stack.
#include "verify.h"

#include <cstring>

#include "../box/codec.h"
#include "../cell/codec.h"
#include "../sphere/verify.h"

namespace espalier {
namespace {

bool finite(float value) {
    return value - value == 0.0f;
}

template <class Index>
Index largest_index(const Index* indices, std::size_t count) {
    Index largest = 0;
    for (std::size_t i = 0; i < count; ++i) largest = indices[i] > largest ? indices[i] : largest;
    return largest;
}

bool finite_positions(const MeshView& mesh) {
    // Infinities and NaN are the numbers with the largest exponent. As integers they vectorise; a sum of
    // floats, whose order counts, would not.
    constexpr std::int32_t kMagnitude = 0x7fffffff, kInfinity = 0x7f800000;
    const std::size_t count = std::size_t{3} * mesh.vertex_count;
    std::int32_t largest = 0;
    for (std::size_t i = 0; i < count; ++i) {
        std::int32_t magnitude;
        std::memcpy(&magnitude, mesh.positions + i, 4);
        magnitude &= kMagnitude;
        largest = magnitude > largest ? magnitude : largest;
    }
    return largest < kInfinity;
}

Status verify_mesh(const MeshView& mesh) {
    const std::size_t count = std::size_t{3} * mesh.triangle_count;
    const std::uint32_t largest =
        mesh.indices16 ? largest_index(mesh.indices16, count) : largest_index(mesh.indices32, count);
    if (largest >= mesh.vertex_count || !finite_positions(mesh)) return Status::kCorruptMesh;
    return Status::kOk;
}

/// A permutation check without memory is quadratic, so only the range is checked: a repeated entry can make a
/// query see a triangle twice or never, but never read out of bounds.
bool order_in_range(const std::uint32_t* order, std::uint32_t count) {
    return !order || largest_index(order, count) < count;
}

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

/// A box tree's node fixes where its children are, so its shape is proved by every left count lying strictly
/// between nothing and all of its node's leaves, and by the depth.
Status verify_box_tree(const BoxTreeView& tree) {
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
        level[waiting] = depth;
        right[waiting++] = right_child(range, left);
        range = left_child(range, left);
    }
    return deepest == tree.depth ? Status::kOk : Status::kCorruptTree;
}

Status verify_box(const PartView& part) {
    if (part.box.leaf_count == 0) return Status::kOk;
    if (!proper_box(part.box.lo, part.box.hi)) return Status::kCorruptTree;
    if (!order_in_range(part.box.triangle_order, part.mesh.triangle_count)) return Status::kCorruptTree;
    return verify_box_tree(part.box);
}

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

Status verify_cell(const PartView& part) {
    const CellTreeView& tree = part.cell;
    if (tree.unit_count == 0) return Status::kOk;
    if (!proper_box(tree.lo, tree.hi) || !(tree.delta >= 0) || !finite(tree.delta))
        return Status::kCorruptTree;
    const std::uint64_t triangles = part.mesh.triangle_count;
    if (tree.triangle_entries > 0 && largest_index(tree.triangles, tree.triangle_entries) >= triangles)
        return Status::kCorruptTree;
    if (tree.edge_entries > 0 && largest_index(tree.edges, tree.edge_entries) >= 3 * triangles)
        return Status::kCorruptTree;
    return CellTreeWalk(tree).run();
}

Status verify_part(const PartView& part) {
    for (double coordinate : part.origin)
        if (!(coordinate - coordinate == 0.0)) return Status::kCorrupt;
    if (!proper_box(part.lo, part.hi)) return Status::kCorrupt;
    const Status mesh = verify_mesh(part.mesh);
    if (mesh != Status::kOk) return mesh;
    const Status box = verify_box(part);
    if (box != Status::kOk) return box;
    const Status cell = verify_cell(part);
    if (cell != Status::kOk) return cell;
    const Status sphere = verify_sphere_tree(part.sphere, part.mesh.triangle_count);
    if (sphere != Status::kOk) return sphere;
    if (!part.aabb.nodes) return Status::kOk;
    if (!proper_box(part.aabb.lo, part.aabb.hi)) return Status::kCorruptTree;
    if (!order_in_range(part.aabb.triangle_order, part.mesh.triangle_count)) return Status::kCorruptTree;
    return AabbTreeWalk(part.aabb, part.mesh.triangle_count).run();
}

}  // namespace

bool proper_box(const float* lo, const float* hi) {
    for (int k = 0; k < 3; ++k)
        if (!finite(lo[k]) || !finite(hi[k]) || !(lo[k] <= hi[k])) return false;
    return true;
}

Status verify_parts(const Asset& asset) {
    // A hostile file may name one part many times over. Honest parts share nothing, so their meshes together
    // fit the file; and since an aabb or box tree's work is bounded by its mesh's triangles, the whole stays
    // linear. The sizes of cell and sphere trees are their own, so they count too.
    std::uint64_t mesh_bytes = 0;
    for (std::uint32_t i = 0; i < asset.part_count(); ++i) {
        PartView part;
        Status status = asset.part(i, &part);
        if (status != Status::kOk) return status;
        mesh_bytes += std::uint64_t{12} * part.mesh.vertex_count +
                      std::uint64_t{part.mesh.indices16 ? 6u : 12u} * part.mesh.triangle_count +
                      sizeof(CellNode) * std::uint64_t{part.cell.unit_count} +
                      4 * (std::uint64_t{part.cell.triangle_entries} + part.cell.edge_entries) +
                      sphere_tree_bytes(part.sphere);
        if (mesh_bytes > asset.size()) return Status::kCorrupt;
        if (status == Status::kOk) status = verify_part(part);
        if (status != Status::kOk) return status;
    }
    return Status::kOk;
}

}  // namespace espalier
