// SPDX-License-Identifier: GPL-3.0-or-later
// Integers of binary files, whatever the order of bytes of this processor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace espalier {

/// The unsigned integer of `width` bytes (1 to 8) at `offset`, the lowest byte first. The caller has checked
/// that `bytes` holds them.
inline std::uint64_t read_little_endian(std::string_view bytes, std::size_t offset, std::size_t width) {
    std::uint64_t value = 0;
    for (std::size_t i = width; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[offset + i]);
    return value;
}

/// The same with the highest byte first.
inline std::uint64_t read_big_endian(std::string_view bytes, std::size_t offset, std::size_t width) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < width; ++i)
        value = value << 8 | static_cast<unsigned char>(bytes[offset + i]);
    return value;
}

}  // namespace espalier
