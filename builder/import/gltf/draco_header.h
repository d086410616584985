// SPDX-License-Identifier: GPL-3.0-or-later
// The sizes that a Draco stream promises in its first bytes, read before libdraco takes memory for them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace espalier::import_formats::gltf {

struct DracoHeader {
    std::uint64_t faces = 0;
    std::uint64_t vertices = 0;  ///< less than the points where attributes have seams
};

/// Fails with kInvalidInput where `bytes` do not begin as a Draco mesh does, with kUnsupported where they
/// hold what is not read or promise more than the limits; `where` names the primitive.
DracoHeader read_draco_header(std::string_view bytes, const std::string& where);

}  // namespace espalier::import_formats::gltf
