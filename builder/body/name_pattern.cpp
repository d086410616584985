// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/body/name_pattern.h"

#include <algorithm>
#include <cstddef>

#include "builder/body/utf8.h"

namespace espalier {
namespace {

std::size_t character(std::string_view text) {
    return std::max<std::size_t>(utf8_character(text), 1);
}

/// Greedy: only the last star is ever tried again, one character further.
bool fits(std::string_view name, std::string_view pattern) {
    std::size_t at = 0, in_name = 0;
    std::size_t star = std::string_view::npos, star_in_name = 0;
    while (in_name < name.size()) {
        const char wanted = at < pattern.size() ? pattern[at] : '\0';
        if (wanted == '*') {
            star = at++;
            star_in_name = in_name;
        } else if (wanted == '?') {
            ++at;
            in_name += character(name.substr(in_name));
        } else if (at < pattern.size() && wanted == name[in_name]) {
            ++at;
            ++in_name;
        } else if (star != std::string_view::npos) {
            star_in_name += character(name.substr(star_in_name));
            in_name = star_in_name;
            at = star + 1;
        } else {
            return false;
        }
    }
    while (at < pattern.size() && pattern[at] == '*') ++at;
    return at == pattern.size();
}

}  // namespace

bool fits_patterns(std::string_view name, std::string_view patterns) {
    while (true) {
        const std::size_t comma = std::min(patterns.find(','), patterns.size());
        if (fits(name, patterns.substr(0, comma))) return true;
        if (comma == patterns.size()) return false;
        patterns.remove_prefix(comma + 1);
    }
}

}  // namespace espalier
