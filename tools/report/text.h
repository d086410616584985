// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers and tables as text for people.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace espalier::tools {

/// "512 bytes", "1.5 KiB", "20.1 MiB".
std::string bytes_text(std::uint64_t bytes);

/// Shortest text that reads back as the same number; "inf" and "nan" as such.
std::string number_text(double value);
std::string number_text(float value);

/// `value` with so many digits after the point.
std::string fixed_text(double value, int digits);

/// Rows in aligned columns, each line behind `indent`; numbers to the right of their column, all else to
/// the left.
std::string table_text(const std::vector<std::vector<std::string>>& rows, const std::string& indent);

}  // namespace espalier::tools
