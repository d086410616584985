// SPDX-License-Identifier: GPL-3.0-or-later
// Selection of medial balls that cover a part of the surface when all are inflated by the same, least,
// amount.
#pragma once

#include <cstdint>
#include <vector>

#include "builder/sphere_tree/surface_pieces.h"

namespace espalier {

/// At most `count` of the candidates, inflated, that hold every piece; empty if there is no candidate. The
/// inflation is the least (within 4 %) for which greedy selection by covered area succeeds, so it bounds how
/// far the balls bulge.
std::vector<Ball> greedy_cover(const std::vector<Ball>& candidates, const std::vector<Piece>& pieces,
                               std::uint32_t count);

/// At most `most` candidates in farthest-point order: spread over all of them.
std::vector<Ball> spread_subset(const std::vector<Ball>& candidates, std::size_t most);

}  // namespace espalier
