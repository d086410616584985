// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of parts, names and pairs (schema/FORMAT.md), checked on what flatc's reader sees: apart from the
// runtime's verification, and naming the part.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "builder/hierarchy/check_item.h"

namespace espalier {

/// Checks the parts of a file: nothing without parts of its own. The file need not be sound; one that is no
/// FlatBuffer gives no items.
/// @param bytes aligned as the runtime wants them
std::vector<CheckItem> check_parts(std::span<const std::uint8_t> bytes);

}  // namespace espalier
