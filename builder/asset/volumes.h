// SPDX-License-Identifier: GPL-3.0-or-later
// The volumes of a part's hierarchies as a picture needs them: decoded, level by level.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "espalier/asset.h"

namespace espalier {

/// Lower, then upper corner.
using DecodedBox = std::array<float, 6>;

/// The volumes at one depth; 0 is the root.
struct VolumeLevel {
    std::vector<DecodedBox> inner;
    std::vector<DecodedBox> leaves;  ///< end here: deeper levels do not show their triangles again
};

struct TreeVolumes {
    std::string tree;  ///< "aabb", "box", "cell" (without its empty cells)
    std::vector<VolumeLevel> levels;
    std::uint32_t omitted_levels = 0;  ///< deepest ones, left out because of the limit
};

/// Decodes every hierarchy of boxes that the part has, from the root down to the last level with which a tree
/// has at most `most` volumes. Precondition: the part was fully verified.
std::vector<TreeVolumes> decode_volumes(const PartView& part, std::size_t most);

}  // namespace espalier
