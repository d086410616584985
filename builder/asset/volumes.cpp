// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/asset/volumes.h"

#include "runtime/src/aabb/codec.h"
#include "runtime/src/box/codec.h"
#include "runtime/src/cell/codec.h"

namespace espalier {
namespace {

template <class Box>
DecodedBox corners(const Box& box) {
    return {box.lo[0], box.lo[1], box.lo[2], box.hi[0], box.hi[1], box.hi[2]};
}

VolumeLevel& level_at(TreeVolumes& tree, std::size_t level) {
    if (tree.levels.size() <= level) tree.levels.resize(level + 1);
    return tree.levels[level];
}

void add_aabb(const AabbTreeView& view, std::uint32_t index, const Volume& volume, std::size_t level,
              TreeVolumes& tree) {
    level_at(tree, level).inner.push_back(corners(volume));
    const AabbNode& node = view.nodes[index];
    std::uint32_t next_child = node.first_child;
    for (unsigned lane = 0; lane < 4; ++lane) {
        if (node.kind[lane] == kChildNone) continue;
        const Volume child = decode_child(node, volume, lane);
        if (node.kind[lane] == kChildInner)
            add_aabb(view, next_child++, child, level + 1, tree);
        else
            level_at(tree, level + 1).leaves.push_back(corners(child));
    }
}

void add_box(const BoxTreeView& view, const BoxRange& range, const BoxVolume& volume, std::size_t level,
             TreeVolumes& tree) {
    if (range.leaves == 1) {
        level_at(tree, level).leaves.push_back(corners(volume));
        return;
    }
    level_at(tree, level).inner.push_back(corners(volume));
    const BoxNode& node = view.nodes[range.node];
    const std::uint32_t left = left_leaves(node, range.leaves);
    add_box(view, left_child(range, left), child_box(node, volume, 0), level + 1, tree);
    add_box(view, right_child(range, left), child_box(node, volume, 1), level + 1, tree);
}

void add_cells(const CellTreeView& view, const CellRange& range, const CellVolume& volume, std::size_t level,
               TreeVolumes& tree) {
    if (range.empty()) return;
    if (range.leaf()) {
        level_at(tree, level).leaves.push_back(corners(volume));
        return;
    }
    level_at(tree, level).inner.push_back(corners(volume));
    const CellNode& node = view.nodes[range.node];
    for (unsigned child = 0; child < 2; ++child)
        add_cells(view, cell_child(view.nodes, range, child), child_cell(node, view.delta, volume, child),
                  level + 1, tree);
}

void limit(TreeVolumes& tree, std::size_t most) {
    std::size_t total = 0, kept = 0;
    for (const VolumeLevel& level : tree.levels) {
        total += level.inner.size() + level.leaves.size();
        if (total > most && kept > 0) break;
        ++kept;
    }
    tree.omitted_levels = static_cast<std::uint32_t>(tree.levels.size() - kept);
    tree.levels.resize(kept);
}

}  // namespace

std::vector<TreeVolumes> decode_volumes(const PartView& part, std::size_t most) {
    std::vector<TreeVolumes> trees;
    if (part.box.leaf_count > 0) {
        trees.push_back({"box", {}, 0});
        add_box(part.box, BoxRange{0, part.box.leaf_count, 0}, root_box(part.box), 0, trees.back());
    }
    if (part.cell.unit_count > 0) {
        trees.push_back({"cell", {}, 0});
        add_cells(part.cell, CellRange{0, part.cell.unit_count}, root_cell(part.cell), 0, trees.back());
    }
    if (part.aabb.nodes) {
        trees.push_back({"aabb", {}, 0});
        add_aabb(part.aabb, 0, root_volume(part.aabb), 0, trees.back());
    }
    for (TreeVolumes& tree : trees) limit(tree, most);
    return trees;
}

}  // namespace espalier
