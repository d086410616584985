// SPDX-License-Identifier: GPL-3.0-or-later
// Whether names are text that every reader can show.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace espalier {

/// Bytes of the character that `text` begins with, 0 if it begins with none: well-formed UTF-8 (RFC 3629: no
/// overlong form, no surrogate, at most U+10FFFF) that is no control character.
std::size_t utf8_character(std::string_view text);

/// Whether all of it is such characters.
bool is_utf8_name(std::string_view text);

/// The text with U+FFFD for each byte that begins no such character.
std::string as_utf8_name(std::string_view text);

}  // namespace espalier
