// SPDX-License-Identifier: GPL-3.0-or-later
// Proves from the bytes of an asset alone that its hierarchies are what they claim to be.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "builder/base/result.h"
#include "builder/hierarchies.h"

namespace espalier {

/// What a check looked at and found.
struct CheckReport {
    std::vector<CheckItem> items;  ///< what was checked, in a fixed order
    bool ok() const;               ///< whether all of it holds
};

/// Checks structure (the runtime's full verification), parts, names and pairs, stored bounds, and what each
/// hierarchy promises of its volumes and leaves. An item that holds is there once for all shapes; one that
/// does not names its shape, and a part that has it. `bytes` need no alignment. Fails with kInvalidInput when
/// the structure is broken; geometric findings are in the report.
Result<CheckReport> check_asset(std::span<const std::uint8_t> bytes, HierarchyRows list = all_hierarchies());

}  // namespace espalier
