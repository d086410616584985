// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers and tables as text for people.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace espalier::tools {

/// "512 bytes", "1.5 KiB", "20.1 MiB".
std::string bytes_text(std::uint64_t bytes);

/// "1 part", "2 parts".
std::string counted(std::uint64_t count, const std::string& thing);

/// Rows in aligned columns, each line behind `indent`; numbers to the right of their column, all else to
/// the left.
std::string table_text(const std::vector<std::vector<std::string>>& rows, const std::string& indent);

}  // namespace espalier::tools
