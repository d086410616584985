// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/body/utf8.h"

#include <cstdint>

namespace espalier {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

struct Lead {
    std::size_t bytes;    ///< of the whole character; 0: no character begins so
    std::uint32_t bits;   ///< of the code point, from the first byte
    std::uint32_t least;  ///< least code point that needs `bytes` bytes
};

Lead lead_of(std::uint8_t byte) {
    if (byte < 0x80) return {1, byte, 0};
    if (byte < 0xC0) return {0, 0, 0};
    if (byte < 0xE0) return {2, byte & 0x1Fu, 0x80};
    if (byte < 0xF0) return {3, byte & 0x0Fu, 0x800};
    if (byte < 0xF8) return {4, byte & 0x07u, 0x10000};
    return {0, 0, 0};
}

bool is_control(std::uint32_t code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

}  // namespace

std::size_t utf8_character(std::string_view text) {
    if (text.empty()) return 0;
    const Lead lead = lead_of(static_cast<std::uint8_t>(text[0]));
    if (lead.bytes == 0 || lead.bytes > text.size()) return 0;
    std::uint32_t code = lead.bits;
    for (std::size_t i = 1; i < lead.bytes; ++i) {
        const auto byte = static_cast<std::uint8_t>(text[i]);
        if ((byte & 0xC0) != 0x80) return 0;
        code = code << 6 | (byte & 0x3Fu);
    }
    const bool surrogate = code >= 0xD800 && code < 0xE000;
    return code < lead.least || surrogate || code > 0x10FFFF || is_control(code) ? 0 : lead.bytes;
}

bool is_utf8_name(std::string_view text) {
    while (!text.empty()) {
        const std::size_t bytes = utf8_character(text);
        if (bytes == 0) return false;
        text.remove_prefix(bytes);
    }
    return true;
}

std::string as_utf8_name(std::string_view text) {
    std::string name;
    while (!text.empty()) {
        const std::size_t bytes = utf8_character(text);
        name += bytes == 0 ? kReplacement : text.substr(0, bytes);
        text.remove_prefix(bytes == 0 ? 1 : bytes);
    }
    return name;
}

}  // namespace espalier
