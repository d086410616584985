// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of numbers: as many on every line; blank lines and what follows a '#' are ignored.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "builder/base/result.h"

namespace espalier::tools {

/// What a list holds, for messages.
struct LineForm {
    std::string list;       ///< "list of poses"
    std::string line;       ///< "a pose is qw qx qy qz tx ty tz"
    std::string none;       ///< what is wrong with a list of no line
    std::size_t count = 0;  ///< numbers on a line, at least 1
};

struct NumberLine {
    std::vector<double> values;  ///< finite, LineForm::count of them
    std::size_t line = 0;        ///< from 1
};

/// Parses the text of a list. Fails with kInvalidInput, naming the line: not as many finite numbers; or no
/// line at all.
Result<std::vector<NumberLine>> parse_number_lines(std::string_view text, const LineForm& form);

/// What messages call a list: its path, or "standard input" for "-".
std::string list_name(const std::string& path);

/// The text in the file at `path`, or on standard input for "-". Throws Failure.
std::string read_list(const std::string& path, const LineForm& form);

}  // namespace espalier::tools
