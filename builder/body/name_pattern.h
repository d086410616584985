// SPDX-License-Identifier: GPL-3.0-or-later
// Patterns of names, as `--parts` takes them.
#pragma once

#include <string_view>

namespace espalier {

/// Whether `name` fits one of `patterns`, which commas separate: `*` stands for any text, also none, `?` for
/// one character (of UTF-8), all else for itself. Takes O(length of both) for a star, not a power of it.
bool fits_patterns(std::string_view name, std::string_view patterns);

}  // namespace espalier
