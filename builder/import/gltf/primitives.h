// SPDX-License-Identifier: GPL-3.0-or-later
// The primitives of a mesh that have a surface: triangles, strips and fans, plain or compressed by Draco.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "builder/import/gltf/accessors.h"
#include "builder/import/gltf/draco.h"

namespace espalier::import_formats::gltf {

/// What the reading of primitives needs of the file.
struct Source {
    const Json& root;
    Views& views;
    Accessors& accessors;
    AccessorKind positions;  ///< what the file's positions may be
};

/// The kind of positions: floats, or integers too where the file says that it has them.
AccessorKind position_kind(const Json& root);

/// What the document says of a primitive.
struct Primitive {
    const Json* json = nullptr;
    std::string where;  ///< "mesh 0, primitive 1"
    std::uint64_t mode = 0;
    std::uint64_t points = 0;
    std::uint64_t corners = 0;  ///< of indices, or points without them
    std::uint64_t triangles = 0;
};

/// The primitives of a mesh, by the document alone; those of points and lines are counted in `ignored`.
std::vector<Primitive> surface_primitives(const Source& source, std::uint64_t mesh, std::uint64_t& ignored);

/// The numbers of a primitive.
class PrimitiveReader {
  public:
    /// Decompresses; `source` and `primitive` must outlive this.
    PrimitiveReader(const Source& source, const Primitive& primitive);

    /// Three corners for each triangle, in range.
    std::vector<std::uint32_t> triangles() const;

    bool has(const std::string& attribute) const;
    /// One element for each point. Fails without the attribute.
    Numbers attribute(const std::string& name, const AccessorKind& kind) const;
    /// Positions, moved by morph targets as far as `weights` say.
    Numbers positions(const std::vector<double>& weights) const;

  private:
    const Source& source_;
    const Primitive& primitive_;
    std::optional<DracoMesh> draco_;
};

}  // namespace espalier::import_formats::gltf
