// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as text and back, alike on every platform and in every locale.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace espalier {

/// Shortest text that reads back as the same number; "inf" and "nan" as such.
std::string number_text(double value);
std::string number_text(float value);

/// `value` with `digits` digits after the point.
std::string fixed_text(double value, int digits);

/// A number as from_chars reads it (a leading '+' is allowed); nothing if `text` is not wholly one, or it
/// overflows.
std::optional<double> parse_number(std::string_view text);

}  // namespace espalier
