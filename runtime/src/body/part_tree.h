// SPDX-License-Identifier: MIT
// The tree over the boxes of a body's parts: its order, made by medians, and its boxes, refitted in one pass.
#pragma once

#include "layout.h"

namespace espalier {

/// Nodes of a tree over as many parts.
std::uint32_t part_tree_nodes(std::uint32_t parts);

/// The box about a shape at a place, in double precision, rounding included.
void placed_box(const ShapeView& shape, const Placement& place, double* lo, double* hi);

/// Sets the boxes of all nodes anew.
/// @param nodes  whose first `parts_in_tree` are those of parts
void refit_part_tree(const PlacedPart* parts, const ShapeView* shapes, BodyNode* nodes,
                     std::uint32_t parts_in_tree, std::uint32_t node_count);

/// Puts the nodes of the parts into an order in which neighbours are near each other, and makes those above
/// them. Their boxes must be set; those of the nodes above are not.
void order_part_tree(BodyNode* nodes, std::uint32_t parts_in_tree, std::uint32_t node_count);

}  // namespace espalier
