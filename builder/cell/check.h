// SPDX-License-Identifier: GPL-3.0-or-later
// The geometric part of `check_asset` for cell trees.
#pragma once

#include <vector>

#include "builder/asset/check.h"

namespace espalier {

/// Every point of every triangle and edge lies in a leaf cell that lists it, hence every cell that one meets
/// by more than a cut's thickness lists it and empty cells are empty; no leaf lists anything twice; every
/// edge of the mesh is listed under one of its triangles. Precondition: the part's structure was verified.
std::vector<CheckItem> check_cell_tree(const PartView& part);

}  // namespace espalier
