// SPDX-License-Identifier: GPL-3.0-or-later
// The aabb tree among the hierarchies.
#pragma once

#include "builder/aabb/aabb_tree.h"
#include "builder/hierarchy/hierarchy.h"

namespace espalier {

extern const Hierarchy kAabbHierarchy;

/// For BakedShape::trees.
BuiltTreePtr built_tree(AabbTree tree);

// What the row points at.
std::vector<CheckItem> check_aabb_tree(const ShapeView& part);
TreeDescription describe_aabb_tree(const ShapeView& part);
std::span<const QueryMethod> aabb_query_methods();

}  // namespace espalier
