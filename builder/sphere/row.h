// SPDX-License-Identifier: GPL-3.0-or-later
// The sphere tree among the hierarchies.
#pragma once

#include "builder/hierarchy/hierarchy.h"
#include "builder/sphere/sphere_tree.h"

namespace espalier {

extern const Hierarchy kSphereHierarchy;

/// For BakedShape::trees.
BuiltTreePtr built_tree(SphereTree tree);

// What the row points at.
std::vector<CheckItem> check_sphere_tree(const ShapeView& part);
TreeDescription describe_sphere_tree(const ShapeView& part);
std::span<const QueryMethod> sphere_query_methods();

}  // namespace espalier
