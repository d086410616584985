// SPDX-License-Identifier: GPL-3.0-or-later
// One statement about an asset that `check` proves.
#pragma once

#include <cstdint>
#include <string>

namespace espalier {

/// One thing that was proved, or failed.
struct CheckItem {
    std::string name;         ///< "aabb boxes contain their triangles"
    bool ok = true;           ///< whether it holds
    std::uint64_t count = 0;  ///< elements looked at
    std::string message;      ///< on failure: the element and the reason
};

}  // namespace espalier
