// SPDX-License-Identifier: GPL-3.0-or-later
// The cell tree among the hierarchies.
#pragma once

#include "builder/cell/cell_tree.h"
#include "builder/hierarchy/hierarchy.h"

namespace espalier {

extern const Hierarchy kCellHierarchy;

/// For BakedShape::trees.
BuiltTreePtr built_tree(CellTree tree);

/// What only a cell tree has.
struct CellStatistics {
    std::uint64_t empty_cells = 0;
    double empty_volume = 0;  ///< share of the bounds' volume that lies in empty cells
    std::uint64_t edges = 0;
    double triangle_duplication = 0;  ///< entries in all leaves for every triangle
    double edge_duplication = 0;      ///< likewise for every edge
};

/// Of a verified part with a cell tree.
CellStatistics cell_statistics(const ShapeView& part);

// What the row points at.
std::vector<CheckItem> check_cell_tree(const ShapeView& part);
TreeDescription describe_cell_tree(const ShapeView& part);
std::span<const QueryMethod> cell_query_methods();

}  // namespace espalier
