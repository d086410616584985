// SPDX-License-Identifier: GPL-3.0-or-later
// KHR_draco_mesh_compression: a primitive that libdraco has compressed.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "builder/import/gltf/accessors.h"

namespace draco {
class Mesh;
}

namespace espalier::import_formats::gltf {

/// What the document says of a primitive, which its compressed form must fit.
struct DracoPromise {
    std::uint64_t points = 0;
    std::optional<std::uint64_t> faces;  ///< none: not stated
};

/// A decompressed primitive.
class DracoMesh {
  public:
    /// Decompresses `bytes`. What they promise is looked at before any memory is taken for it: kUnsupported
    /// beyond the limits, kInvalidInput where it differs from `promise` or the bytes are damaged.
    DracoMesh(std::string_view bytes, const DracoPromise& promise, const std::string& where);
    ~DracoMesh();
    DracoMesh(const DracoMesh&) = delete;
    DracoMesh& operator=(const DracoMesh&) = delete;

    /// Three corners for each face, in range.
    std::vector<std::uint32_t> corners() const;

    /// The attribute that the compressed form calls `id`, a number for each component and point. `layout` is
    /// that of its accessor.
    Numbers attribute(std::uint64_t id, const AccessorLayout& layout) const;

  private:
    std::unique_ptr<draco::Mesh> mesh_;
    std::string where_;
};

}  // namespace espalier::import_formats::gltf
