// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/cell/describe.h"

#include <algorithm>
#include <vector>

#include "runtime/src/cell/codec.h"

namespace espalier {
namespace {

/// Walks the cells as the paper means them: without the thickness of the cuts, they fill the bounds once.
class CellCounter {
  public:
    CellCounter(const CellTreeView& view, TreeDescription& tree, CellStatistics& cells)
        : view_(view), tree_(tree), cells_(cells) {}

    void count(const CellRange& range, const CellVolume& cell, std::size_t level) {
        if (range.empty()) {
            ++cells_.empty_cells;
            cells_.empty_volume += volume_of(cell);
            return;
        }
        if (range.leaf()) {
            count_leaf(cell_leaf_lists(view_.nodes, range), level == 0 ? 0 : level - 1);
            return;
        }
        level_at(level).nodes += 1;
        ++tree_.nodes;
        for (unsigned child = 0; child < 2; ++child)
            count(cell_child(view_.nodes, range, child), child_cell(view_.nodes[range.node], 0, cell, child),
                  level + 1);
    }

    static double volume_of(const CellVolume& cell) {
        double volume = 1;
        for (int k = 0; k < 3; ++k) volume *= std::max(double(cell.hi[k]) - double(cell.lo[k]), 0.0);
        return volume;
    }

  private:
    LevelDescription& level_at(std::size_t level) {
        if (tree_.levels.size() <= level) tree_.levels.resize(level + 1);
        return tree_.levels[level];
    }

    /// A leaf hangs from the node above it; only a tree of one leaf has none.
    void count_leaf(const CellLists& lists, std::size_t level) {
        ++tree_.leaves;
        ++level_at(level).leaves;
        level_at(level).triangles += lists.triangle_count;
        if (tree_.leaf_fill.size() <= lists.triangle_count) tree_.leaf_fill.resize(lists.triangle_count + 1);
        ++tree_.leaf_fill[lists.triangle_count];
    }

    const CellTreeView& view_;
    TreeDescription& tree_;
    CellStatistics& cells_;
};

std::uint64_t distinct(const std::uint32_t* entries, std::uint32_t count) {
    std::vector<std::uint32_t> sorted(entries, entries + count);
    std::sort(sorted.begin(), sorted.end());
    return static_cast<std::uint64_t>(std::unique(sorted.begin(), sorted.end()) - sorted.begin());
}

double share(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

}  // namespace

void describe_cell_tree(const PartView& view, PartDescription& part) {
    TreeDescription tree;
    tree.name = "cell";
    tree.depth = view.cell.depth;
    CellStatistics cells;
    const CellVolume root = root_cell(view.cell);
    CellCounter(view.cell, tree, cells).count(CellRange{0, view.cell.unit_count}, root, 0);
    cells.empty_volume = share(cells.empty_volume, CellCounter::volume_of(root));
    cells.edges = distinct(view.cell.edges, view.cell.edge_entries);
    cells.triangle_duplication = share(view.cell.triangle_entries, static_cast<double>(part.triangles));
    cells.edge_duplication = share(view.cell.edge_entries, static_cast<double>(cells.edges));
    tree.cells = cells;
    const SectionDescription sections[] = {
        {"cell nodes", std::uint64_t{view.cell.unit_count} * sizeof(CellNode)},
        {"cell triangles", std::uint64_t{view.cell.triangle_entries} * 4},
        {"cell edges", std::uint64_t{view.cell.edge_entries} * 4},
    };
    for (const SectionDescription& section : sections) {
        tree.bytes += section.bytes;
        part.sections.push_back(section);
    }
    tree.bytes_per_triangle = share(static_cast<double>(tree.bytes), static_cast<double>(part.triangles));
    part.trees.push_back(std::move(tree));
}

}  // namespace espalier
