// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/import/provenance.h"

#include "builder/import/source_hash.h"

namespace espalier {

Result<std::array<std::uint8_t, 32>> sha256(std::string_view bytes) {
    import_formats::SourceHash hash;
    hash.add(bytes);
    return hash.digest();
}

std::string to_hex(const std::array<std::uint8_t, 32>& digest) {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    text.reserve(2 * digest.size());
    for (const std::uint8_t byte : digest) {
        text += kDigits[byte >> 4];
        text += kDigits[byte & 15];
    }
    return text;
}

}  // namespace espalier
