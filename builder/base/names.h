// SPDX-License-Identifier: GPL-3.0-or-later
// The names of an enumeration's values: one table beside the enumeration, from which options, reports and
// files are read and written. An enumeration has names if a function `enum_names(Enum)` beside it returns
// them, from value 0 on.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace espalier {

/// The name of a value; "unknown" for one that has none (files of a later version may hold such).
template <class Enum>
constexpr std::string_view name_of(Enum value) {
    const auto names = enum_names(value);
    const auto index = static_cast<std::size_t>(value);
    return index < names.size() ? names[index] : std::string_view("unknown");
}

/// The value that has a name, or nothing.
template <class Enum>
constexpr std::optional<Enum> value_named(std::string_view name) {
    const auto names = enum_names(Enum{});
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == name) return static_cast<Enum>(i);
    return std::nullopt;
}

}  // namespace espalier
