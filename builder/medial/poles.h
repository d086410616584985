// SPDX-License-Identifier: GPL-3.0-or-later
// Poles (Amenta et al. 1998): of the medial balls that a sample of the surface forms, the largest. It is near
// the true medial axis where other Voronoi vertices need not be.
#pragma once

#include <cstdint>
#include <vector>

#include "builder/medial/medial_set.h"

namespace espalier {

/// By sample: the index of its pole in `set.balls`.
std::vector<std::uint32_t> poles_of(const MedialSet& set);

}  // namespace espalier
