// SPDX-License-Identifier: GPL-3.0-or-later
// The volumes of a part's hierarchies, down to a level that can be shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "builder/hierarchies.h"

namespace espalier {

/// The decoded volumes of one hierarchy.
struct TreeVolumes {
    const Hierarchy* hierarchy = nullptr;  ///< its row
    std::vector<VolumeLevel> levels;       ///< root first
    std::uint32_t omitted_levels = 0;      ///< deepest ones, left out because of the limit
};

/// Decodes every hierarchy that the part has, from the root down to the last level with which a tree has at
/// most `most` volumes. Precondition: the part was fully verified.
std::vector<TreeVolumes> decode_volumes(const ShapeView& part, std::size_t most,
                                        HierarchyRows list = all_hierarchies());

}  // namespace espalier
