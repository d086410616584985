// SPDX-License-Identifier: GPL-3.0-or-later
// Proves from the bytes of an asset alone that its hierarchies are what they claim to be.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "builder/base/result.h"
#include "espalier/asset.h"

namespace espalier {

/// One thing that was proved, or failed.
struct CheckItem {
    std::string name;  ///< "aabb containment"
    bool ok = true;
    std::uint64_t count = 0;  ///< elements looked at
    std::string message;      ///< on failure: the element and the reason
};

struct CheckReport {
    std::vector<CheckItem> items;
    bool ok() const;
};

/// Checks structure (the runtime's full verification) and geometry: stored bounds, every triangle inside
/// every volume above it, every triangle in exactly one leaf; of cell trees, every triangle and edge in every
/// cell that it meets; of sphere trees, coverage, errors and leaf lists. `bytes` need no alignment. Fails
/// with kInvalidInput when the structure is broken; geometric findings are in the report.
Result<CheckReport> check_asset(std::span<const std::uint8_t> bytes);

}  // namespace espalier
