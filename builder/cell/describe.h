// SPDX-License-Identifier: GPL-3.0-or-later
// The part of `describe_asset` for cell trees.
#pragma once

#include "builder/asset/describe.h"
#include "espalier/asset.h"

namespace espalier {

/// Adds the part's cell tree and its sections. Precondition: the part was fully verified and has one.
void describe_cell_tree(const PartView& view, PartDescription& part);

}  // namespace espalier
