// SPDX-License-Identifier: GPL-3.0-or-later
// The geometric part of `check_asset` for sphere trees.
#pragma once

#include <vector>

#include "builder/asset/check.h"

namespace espalier {

/// Proves again, from the stored spheres and triangles alone: the coverage that the file promises, every
/// error bound, the leaf lists, the volume coverage if claimed, and the levels' statistics. Precondition: the
/// part's structure was verified.
std::vector<CheckItem> check_sphere_tree(const PartView& part);

}  // namespace espalier
