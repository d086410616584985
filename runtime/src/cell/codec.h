// SPDX-License-Identifier: MIT
// Deriving the cells of a cell tree (Zachmann 1997, "Constructing the BoxTree"): a child's cell is its
// parent's up to the cut. A cut is 2 delta thick ("Geometrical robustness"): both children reach delta beyond
// it, so that a triangle that pokes through by less need be listed on one side only. Also where children
// lie: a node is followed by the units of its left subtree, then of its right one; a child without units is
// an empty cell. Builder and runtime share these functions, so what the builder proved of a cell holds in
// every query.
#pragma once

#include <cstring>

#include "espalier/asset.h"

namespace espalier {

/// A leaf takes two units; an inner node one, and its children at least two more.
constexpr std::uint32_t kCellLeafUnits = 2;

/// A subtree: its first unit and how many it has.
struct CellRange {
    std::uint32_t node;
    std::uint32_t units;

    bool leaf() const { return units == kCellLeafUnits; }
    bool empty() const { return units == 0; }
};

inline float cell_cut(const CellNode& node) {
    float cut;
    std::memcpy(&cut, &node.first, sizeof(cut));
    return cut;
}
inline unsigned cell_axis(const CellNode& node) {
    return node.second >> 30;
}
inline std::uint32_t cell_left_units(const CellNode& node) {
    return node.second & 0x3fffffffu;
}

/// Child 0 (left) or 1 (right) of an inner node.
inline CellRange cell_child(const CellNode* nodes, const CellRange& parent, unsigned child) {
    const std::uint32_t left = cell_left_units(nodes[parent.node]);
    if (child == 0) return {parent.node + 1, left};
    return {parent.node + 1 + left, parent.units - 1 - left};
}

/// The lists of a leaf: ranges of the tree's triangles and edges.
struct CellLists {
    std::uint32_t first_triangle, triangle_count;
    std::uint32_t first_edge, edge_count;
};

inline CellLists cell_leaf_lists(const CellNode* nodes, const CellRange& leaf) {
    const CellNode& triangles = nodes[leaf.node];
    const CellNode& edges = nodes[leaf.node + 1];
    return {triangles.first, triangles.second, edges.first, edges.second};
}

/// A derived cell in its tree's own frame.
struct CellVolume {
    float lo[3], hi[3];
};

inline CellVolume root_cell(const CellTreeView& tree) {
    CellVolume v;
    for (int k = 0; k < 3; ++k) {
        v.lo[k] = tree.lo[k];
        v.hi[k] = tree.hi[k];
    }
    return v;
}

/// Where the left child of a cut ends, and the right one begins.
inline float left_end(float cut, float delta) {
    return cut + delta;
}
inline float right_begin(float cut, float delta) {
    return cut - delta;
}

/// Makes the cell of a node that of its child 0 (left) or 1 (right). It never reaches beyond its parent's. In
/// place: a copy would wait for the side that was just written.
inline void cut_cell(const CellNode& node, float delta, unsigned child, CellVolume* cell) {
    const unsigned k = cell_axis(node);
    if (child == 0) {
        const float end = left_end(cell_cut(node), delta);
        cell->hi[k] = end < cell->hi[k] ? end : cell->hi[k];
    } else {
        const float begin = right_begin(cell_cut(node), delta);
        cell->lo[k] = begin > cell->lo[k] ? begin : cell->lo[k];
    }
}

inline CellVolume child_cell(const CellNode& node, float delta, const CellVolume& parent, unsigned child) {
    CellVolume cell = parent;
    cut_cell(node, delta, child, &cell);
    return cell;
}

/// Goes down from a cell that is not empty as long as it has an empty child: a chain of chipped-off cells is
/// one step, and the cell at its end the only one that needs a test.
inline void skip_chipped(const CellNode* nodes, float delta, CellRange* range, CellVolume* cell) {
    while (range->units > kCellLeafUnits) {
        const CellRange left = cell_child(nodes, *range, 0), right = cell_child(nodes, *range, 1);
        if (!left.empty() && !right.empty()) return;
        const unsigned filled = left.empty() ? 1 : 0;
        cut_cell(nodes[range->node], delta, filled, cell);
        *range = filled == 0 ? left : right;
    }
}

/// An edge as listed: the triangle and the corner at which it begins; it ends at the next corner.
struct CellEdge {
    std::uint32_t triangle, corner;
};

inline CellEdge cell_edge(std::uint32_t entry) {
    return {entry / 3, entry % 3};
}

}  // namespace espalier
