// SPDX-License-Identifier: GPL-3.0-or-later
// The medial set as a PLY file, to look at.
#pragma once

#include <string>

#include "builder/medial/medial_set.h"

namespace espalier {

/// Text PLY: a vertex for each medial sphere (x y z radius) and an edge for each adjacent pair. Numbers read
/// back exactly.
std::string medial_ply(const MedialSet& set);

}  // namespace espalier
