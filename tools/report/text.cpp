// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/report/text.h"

#include <algorithm>

#include "builder/base/number_text.h"

namespace espalier::tools {

std::string bytes_text(std::uint64_t bytes) {
    if (bytes < 1024) return std::to_string(bytes) + " bytes";
    const char* units[] = {"KiB", "MiB", "GiB"};
    double value = static_cast<double>(bytes) / 1024;
    int unit = 0;
    for (; value >= 1024 && unit < 2; ++unit) value /= 1024;
    return fixed_text(value, 1) + " " + units[unit];
}

std::string counted(std::uint64_t count, const std::string& thing) {
    return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

/// Whether the last row has a number in this column (the first may be a heading).
static bool is_numeric(const std::vector<std::vector<std::string>>& rows, std::size_t column) {
    const std::string& entry = column < rows.back().size() ? rows.back()[column] : std::string();
    return !entry.empty() && (entry[0] >= '0' && entry[0] <= '9');
}

std::string table_text(const std::vector<std::vector<std::string>>& rows, const std::string& indent) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    std::string text;
    for (const auto& row : rows) {
        text += indent;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string padding(widths[i] - row[i].size(), ' ');
            const bool last = i + 1 == row.size();
            const bool to_the_right = i > 0 && is_numeric(rows, i);
            text += (i == 0 ? "" : "  ") + (to_the_right ? padding + row[i] : row[i] + (last ? "" : padding));
        }
        text += '\n';
    }
    return text;
}

}  // namespace espalier::tools
