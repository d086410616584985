// SPDX-License-Identifier: GPL-3.0-or-later
// Which parts of one body touch: every pair that is not listed as one without a test.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "builder/asset/asset_body.h"
#include "builder/hierarchies.h"

namespace espalier {

using PartNumbers = std::pair<std::uint32_t, std::uint32_t>;  ///< of the body, the lower first

/// The pairs that touch where the body's parts are, in rising order; on the first hierarchy that all shapes
/// have and that tells contact from none. Nothing if there is no such hierarchy.
std::optional<std::vector<PartNumbers>> touching_pairs(const Body& body,
                                                       HierarchyRows list = all_hierarchies());

}  // namespace espalier
