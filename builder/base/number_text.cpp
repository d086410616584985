// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/base/number_text.h"

#include <charconv>

namespace espalier {
namespace {

template <class Number>
std::string shortest(Number value) {
    char text[64];
    const auto end = std::to_chars(text, text + sizeof(text), value);
    return std::string(text, end.ptr);
}

}  // namespace

std::string number_text(double value) {
    return shortest(value);
}

std::string number_text(float value) {
    return shortest(value);
}

std::string fixed_text(double value, int digits) {
    char text[400];  // the largest double has 309 digits before the point
    const auto end = std::to_chars(text, text + sizeof(text), value, std::chars_format::fixed, digits);
    return std::string(text, end.ptr);
}

std::optional<double> parse_number(std::string_view text) {
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

}  // namespace espalier
