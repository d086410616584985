// SPDX-License-Identifier: GPL-3.0-or-later
// A stored cell tree counted and measured.
#include <algorithm>
#include <vector>

#include "builder/base/number_text.h"
#include "builder/cell/row.h"
#include "builder/cell/walk.h"

namespace espalier {
namespace {

double volume_of(const CellVolume& cell) {
    double volume = 1;
    for (int k = 0; k < 3; ++k) volume *= std::max(double(cell.hi[k]) - double(cell.lo[k]), 0.0);
    return volume;
}

/// Counts the cells as the paper means them: without the thickness of the cuts, they fill the bounds once.
class EmptyCounter {
  public:
    void inner(std::size_t, const CellVolume&) {}
    void leaf(std::size_t, const CellVolume&, const LeafRange&) {}
    void empty(std::size_t, const CellVolume& cell) {
        ++cells;
        volume += volume_of(cell);
    }

    std::uint64_t cells = 0;
    double volume = 0;
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

CellStatistics cell_statistics(const ShapeView& part) {
    const CellTreeView& stored = part.cell;
    EmptyCounter empty;
    walk_cell_tree(stored, 0, empty);
    CellStatistics cells;
    cells.empty_cells = empty.cells;
    cells.empty_volume = share(empty.volume, volume_of(root_cell(stored)));
    cells.edges = distinct(stored.edges, stored.edge_entries);
    cells.triangle_duplication =
        share(stored.triangle_entries, static_cast<double>(part.mesh.triangle_count));
    cells.edge_duplication = share(stored.edge_entries, static_cast<double>(cells.edges));
    return cells;
}

TreeDescription describe_cell_tree(const ShapeView& part) {
    const CellTreeView& stored = part.cell;
    const CellStatistics cells = cell_statistics(part);
    TreeDescription tree;
    tree.name = kCellHierarchy.name;
    tree.depth = stored.depth;
    LevelCounter counter(tree);
    walk_cell_tree(stored, stored.delta, counter);
    tree.facts = {"cells",
                  {{"empty", cells.empty_cells},
                   {"empty_volume", cells.empty_volume},
                   {"edges", cells.edges},
                   {"triangle_duplication", cells.triangle_duplication},
                   {"edge_duplication", cells.edge_duplication}},
                  {}};
    tree.sentences = {std::to_string(cells.empty_cells) + " empty cells, " +
                      fixed_text(100 * cells.empty_volume, 1) + " % of the volume; a triangle is in " +
                      fixed_text(cells.triangle_duplication, 2) + " leaves, one of " +
                      std::to_string(cells.edges) + " edges in " + fixed_text(cells.edge_duplication, 2)};
    tree.sections = {{"cell nodes", std::uint64_t{stored.unit_count} * sizeof(CellNode)},
                     {"cell triangles", std::uint64_t{stored.triangle_entries} * 4},
                     {"cell edges", std::uint64_t{stored.edge_entries} * 4}};
    return tree;
}

}  // namespace espalier
