// SPDX-License-Identifier: MIT
// Opening a baked asset: views into the caller's bytes, nothing copied, nothing allocated.
#pragma once

#include <cstddef>
#include <cstdint>

#include "espalier/aabb_tree.h"
#include "espalier/box_tree.h"
#include "espalier/cell_tree.h"
#include "espalier/part.h"
#include "espalier/sphere_tree.h"
#include "espalier/status.h"

namespace espalier {

/// The format that this runtime reads: every file of this major version, and of 1, whose parts are its
/// shapes, each placed once at rest.
constexpr std::uint16_t kFormatMajor = 2;
constexpr std::uint16_t kFormatMinor = 0;

/// Most triangles in a leaf of an aabb or box tree.
constexpr std::uint32_t kMaxLeafTriangles = 8;

/// How much `open` checks.
enum class Verify {
    kNone,  ///< O(1): only what is needed to find the parts. A hostile file then has undefined behaviour in
            ///< queries.
    kChecksum,  ///< header and checksum over all bytes: finds damage, not malice.
    kFull,      ///< everything: after it no query reads out of bounds, loops for ever or overflows a stack.
};

/// Triangles of a shape. Exactly one of the index arrays is set.
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

/// A shape of an asset: triangles and trees in a frame of their own, which the headers call the source frame.
/// What queries of two parts take, each as the shape that it has.
struct ShapeView {
    const char* name = "";  ///< zero-terminated, in the file: the part's, or the shape's by Asset::shape
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
    /// Triangles with their trees, each stored once: at least 1.
    std::uint32_t shape_count() const { return shape_count_; }
    /// Placed shapes and frames: at least 1.
    std::uint32_t part_count() const { return part_count_; }
    /// Whether the file has parts of its own; else every shape is one, at rest.
    bool has_parts() const { return parts_ != nullptr; }
    /// Names that PartNode refers to; 0 in a file without parts of its own, whose shapes are named
    /// themselves.
    std::uint32_t name_count() const { return name_count_; }
    /// Pairs of parts that need no test.
    std::uint32_t pair_count() const { return pair_count_; }
    /// pair_count() of them, a < b, in rising order; may be null when there are none.
    const PartPair* pairs() const { return pairs_; }
    /// The bytes that were opened.
    const std::uint8_t* data() const { return data_; }
    /// In bytes.
    std::uint32_t size() const { return size_; }

    /// Fills `part` with views of shape `index`. Fails with kInvalidArgument (no such shape, null) or
    /// kCorrupt (possible only when the file was opened without full verification).
    Status shape(std::uint32_t index, ShapeView* part) const;

    /// Fills `part` with views of the shape that part `index` has, in the shape's frame, under the part's
    /// name. Fails with kInvalidArgument (no such part, null), kNoShape (the part is a frame only) or
    /// kCorrupt, as above.
    Status part(std::uint32_t index, ShapeView* part) const;

    /// Fills `node` with the placement of part `index`: its rest and its joint. A file without parts of its
    /// own has one for each shape, fixed and without parent. Fails with kInvalidArgument or kCorrupt, as
    /// above.
    Status part_node(std::uint32_t index, PartNode* node) const;

    /// A name, zero-terminated, in the file; "" if there is none of this number.
    const char* name(std::uint32_t index) const;

    /// The name of part `index`; "" if there is no such part.
    const char* part_name(std::uint32_t index) const;

  private:
    friend Status open(const void* data, std::size_t size, Verify verify, Asset* asset);
    const std::uint8_t* data_ = nullptr;
    std::uint32_t size_ = 0;
    std::uint32_t shapes_ = 0;  // position of the vector of shapes
    std::uint32_t shape_count_ = 0;
    const PartNode* parts_ = nullptr;  // null: every shape is a part at rest
    std::uint32_t part_count_ = 0;
    std::uint32_t names_ = 0;  // position of the vector of names
    std::uint32_t name_count_ = 0;
    const PartPair* pairs_ = nullptr;
    std::uint32_t pair_count_ = 0;
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
