// SPDX-License-Identifier: GPL-3.0-or-later
// Hubbard's merging of medial spheres (1996, section 5.2).
#pragma once

#include <cstdint>
#include <vector>

#include "builder/medial/medial_set.h"
#include "builder/surface/surface_pieces.h"

namespace espalier {

struct MergedSphere {
    Ball ball;                           ///< around all forming points of its members (Ritter's)
    std::vector<std::uint32_t> members;  ///< medial spheres
};

/// Merges the spheres `subset` of `set` until at most `most` are left: always the adjacent pair whose merged
/// sphere protrudes least. Parts that are not adjacent are joined where they are nearest.
std::vector<MergedSphere> merge_medial(const MedialSet& set, const std::vector<std::uint32_t>& subset,
                                       std::uint32_t most);

}  // namespace espalier
