// SPDX-License-Identifier: GPL-3.0-or-later
// EXT_meshopt_compression: views that meshoptimizer has compressed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace espalier::import_formats::gltf {

/// What the extension says of a view.
struct MeshoptStream {
    std::uint64_t count = 0;   ///< of elements
    std::uint64_t stride = 0;  ///< bytes of an element
    std::string mode, filter;
};

/// Refuses what the extension does not allow, and more than a view may hold, before memory is taken.
void check_meshopt(const MeshoptStream& stream, const std::string& where);

/// The `count * stride` bytes that `bytes` stand for. Precondition: check_meshopt.
std::string decode_meshopt(std::string_view bytes, const MeshoptStream& stream, const std::string& where);

}  // namespace espalier::import_formats::gltf
