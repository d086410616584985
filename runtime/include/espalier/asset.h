// SPDX-License-Identifier: MIT
// Opening a baked asset: views into the caller's bytes, nothing copied, nothing allocated.
#pragma once

#include <cstddef>
#include <cstdint>

#include "espalier/aabb_tree.h"
#include "espalier/box_tree.h"
#include "espalier/cell_tree.h"
#include "espalier/sphere_tree.h"
#include "espalier/status.h"

namespace espalier {

/// The format that this runtime reads: every file of this major version.
constexpr std::uint16_t kFormatMajor = 1;
constexpr std::uint16_t kFormatMinor = 1;

/// Most triangles in a leaf of an aabb or box tree.
constexpr std::uint32_t kMaxLeafTriangles = 8;

/// How much `open` checks.
enum class Verify {
    kNone,  ///< O(1): only what is needed to find the parts. A hostile file then has undefined behaviour in
            ///< queries.
    kChecksum,  ///< header and checksum over all bytes: finds damage, not malice.
    kFull,      ///< everything: after it no query reads out of bounds, loops for ever or overflows a stack.
};

/// Triangles of a part. Exactly one of the index arrays is set.
struct MeshView {
    const float* positions = nullptr;                 ///< x y z of each vertex
    std::uint32_t vertex_count = 0;                   ///< number of vertices
    const std::uint16_t* indices16 = nullptr;         ///< three a triangle, or null
    const std::uint32_t* indices32 = nullptr;         ///< three a triangle, or null
    std::uint32_t triangle_count = 0;                 ///< number of triangles
    const std::uint32_t* source_triangles = nullptr;  ///< triangle -> polygon of the source file, or null

    /// Vertex index of corner 0..2 of a triangle.
    std::uint32_t index(std::uint32_t triangle, std::uint32_t corner) const {
        const std::size_t i = std::size_t{3} * triangle + corner;
        return indices16 ? indices16[i] : indices32[i];
    }
    /// The three floats of a corner.
    const float* corner(std::uint32_t triangle, std::uint32_t corner_index) const {
        return positions + std::size_t{3} * index(triangle, corner_index);
    }
};

/// One rigid piece of an asset.
struct PartView {
    const char* name = "";         ///< zero-terminated, in the file
    double origin[3] = {0, 0, 0};  ///< of the stored coordinates, in the source frame
    float lo[3] = {0, 0, 0};       ///< lower corner
    float hi[3] = {0, 0, 0};       ///< upper corner
    bool closed = false;           ///< the surface has an inside
    MeshView mesh;                 ///< its triangles
    AabbTreeView aabb;             ///< its aabb tree, if it has one
    BoxTreeView box;               ///< its box tree, if it has one
    CellTreeView cell;             ///< its cell tree, if it has one
    SphereTreeView sphere;         ///< its sphere tree, if it has one
};

/// A view of an opened file. Copyable; valid as long as the bytes are. Concurrent reads are safe.
class Asset {
  public:
    /// Of the format.
    std::uint16_t version_major() const { return version_major_; }
    /// Of the format.
    std::uint16_t version_minor() const { return version_minor_; }
    /// Grows when the same input bakes to other bytes.
    std::uint32_t builder_revision() const { return builder_revision_; }
    /// As stored.
    std::uint64_t checksum() const { return checksum_; }
    /// At least 1.
    std::uint32_t part_count() const { return part_count_; }
    /// The bytes that were opened.
    const std::uint8_t* data() const { return data_; }
    /// In bytes.
    std::uint32_t size() const { return size_; }

    /// Fills `part` with views of part `index`. Fails with kInvalidArgument (no such part, null) or kCorrupt
    /// (possible only when the file was opened without full verification).
    Status part(std::uint32_t index, PartView* part) const;

  private:
    friend Status open(const void* data, std::size_t size, Verify verify, Asset* asset);
    const std::uint8_t* data_ = nullptr;
    std::uint32_t size_ = 0;
    std::uint32_t parts_ = 0;  // position of the vector of parts
    std::uint32_t part_count_ = 0;
    std::uint16_t version_major_ = 0;
    std::uint16_t version_minor_ = 0;
    std::uint32_t builder_revision_ = 0;
    std::uint64_t checksum_ = 0;
};

/// Opens the bytes of an .espl file where they are.
/// @param data   start of the file, 16-byte aligned (64 for best speed); stays the caller's
/// @param size   bytes available; more than the file has is an error, so that a wrong length is noticed
/// @param verify how much to check; untrusted files need Verify::kFull
/// @param asset  receives the view; untouched on failure
Status open(const void* data, std::size_t size, Verify verify, Asset* asset);

}  // namespace espalier
