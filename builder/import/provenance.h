// SPDX-License-Identifier: GPL-3.0-or-later
// Where a mesh came from: what an asset records so that anyone can tell which file it was baked from.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "builder/base/result.h"

namespace espalier {

/// Identifies a source file by name and content. Where it refers to other files (buffers of glTF), hash and
/// size are those of the file and then all of them, in the order in which it names them: what
/// `cat a.gltf a.bin | sha256sum` says.
struct Provenance {
    std::string source_name;  ///< file name without its directory, so that two checkouts bake the same bytes
    std::array<std::uint8_t, 32> sha256{};  ///< of the source
    std::uint64_t size = 0;                 ///< bytes
};

/// SHA-256 (FIPS 180-4) of `bytes`. Fails with kInternal if OpenSSL does.
Result<std::array<std::uint8_t, 32>> sha256(std::string_view bytes);

/// 64 lower-case hexadecimal digits.
std::string to_hex(const std::array<std::uint8_t, 32>& digest);

}  // namespace espalier
