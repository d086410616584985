// SPDX-License-Identifier: GPL-3.0-or-later
// The geometric part of `check_asset` for box trees.
#pragma once

#include <vector>

#include "builder/asset/check.h"

namespace espalier {

/// Every corner of every leaf's triangles against every derived box above it, exactly (comparisons of
/// floats), and every triangle in one leaf. Precondition: the part's structure was verified.
std::vector<CheckItem> check_box_tree(const PartView& part);

}  // namespace espalier
