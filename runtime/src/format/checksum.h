// SPDX-License-Identifier: MIT
// XXH64 (seed 0) of a file with its own checksum field taken as zero.
#pragma once

#include <cstddef>
#include <cstdint>

namespace espalier {

/// Hash of `size` bytes; the eight bytes at `hole` (a multiple of 8, or beyond the end for none) count as
/// zero.
std::uint64_t checksum(const std::uint8_t* data, std::size_t size, std::size_t hole);

}  // namespace espalier
