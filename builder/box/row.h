// SPDX-License-Identifier: GPL-3.0-or-later
// The box tree among the hierarchies.
#pragma once

#include "builder/box/box_tree.h"
#include "builder/hierarchy/hierarchy.h"

namespace espalier {

extern const Hierarchy kBoxHierarchy;

/// For BakedShape::trees.
BuiltTreePtr built_tree(BoxTree tree);

// What the row points at.
std::vector<CheckItem> check_box_tree(const ShapeView& part);
TreeDescription describe_box_tree(const ShapeView& part);
std::span<const QueryMethod> box_query_methods();

}  // namespace espalier
