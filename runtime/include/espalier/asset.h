// SPDX-License-Identifier: MIT
// Opening a baked asset: views into the caller's bytes, nothing copied, nothing allocated.
#pragma once

#include <cstddef>
#include <cstdint>

#include "espalier/status.h"

namespace espalier {

/// The format that this runtime reads: every file of this major version.
constexpr std::uint16_t kFormatMajor = 1;
constexpr std::uint16_t kFormatMinor = 1;

/// Longest root-to-leaf path, in nodes, that the fixed query stacks hold. The builder never makes a deeper
/// tree and a full verification refuses one. Raising it grows every query object.
constexpr std::uint32_t kMaxDepth = 16;

/// Most triangles in a leaf.
constexpr std::uint32_t kMaxLeafTriangles = 8;

/// Values of AabbNode::kind beside the leaf counts 1..kMaxLeafTriangles.
constexpr std::uint8_t kChildNone = 0;
constexpr std::uint8_t kChildInner = 255;

/// Most splits on a path of a box tree; the same promise as kMaxDepth.
constexpr std::uint32_t kMaxBoxDepth = 40;

/// Most cuts on a path of a cell tree; the same promise as kMaxDepth.
constexpr std::uint32_t kMaxCellDepth = 28;

/// Most levels of a sphere tree; the same promise as kMaxDepth.
constexpr std::uint32_t kMaxSphereLevels = 16;

/// How much `open` checks.
enum class Verify {
    kNone,  ///< O(1): only what is needed to find the parts. A hostile file then has undefined behaviour in
            ///< queries.
    kChecksum,  ///< header and checksum over all bytes: finds damage, not malice.
    kFull,      ///< everything: after it no query reads out of bounds, loops for ever or overflows a stack.
};

/// Four children of an aabb-tree node, as stored (schema: AabbNode).
struct AabbNode {
    std::uint8_t lo[12];           //  0
    std::uint8_t hi[12];           // 12
    std::int8_t normal[12];        // 24
    std::uint8_t slab_lo[4];       // 36
    std::uint8_t slab_hi[4];       // 40
    std::uint8_t radius[4];        // 44
    std::uint8_t kind[4];          // 48
    std::uint32_t first_child;     // 52
    std::uint32_t first_triangle;  // 56
    std::uint32_t reserved;        // 60
};
static_assert(sizeof(AabbNode) == 64, "one cache line; schema/espalier.fbs and FORMAT.md say the same");

/// Two children of a box-tree node, as stored (schema: BoxNode).
struct alignas(8) BoxNode {
    std::int8_t cut[6];  // 0
    std::uint16_t left;  // 6
};
static_assert(sizeof(BoxNode) == 8, "4 bytes a box; schema/espalier.fbs and FORMAT.md say the same");

/// One unit of a cell tree, as stored (schema: CellNode): an inner node, or half of a leaf.
struct alignas(8) CellNode {
    std::uint32_t first;   // 0
    std::uint32_t second;  // 4
};
static_assert(sizeof(CellNode) == 8, "a cut, its axis and a count; schema/espalier.fbs and FORMAT.md say so");

/// One sphere, as stored (schema: SphereNode).
struct alignas(16) SphereNode {
    float center[3];  //  0
    float radius;     // 12
};
static_assert(sizeof(SphereNode) == 16, "schema/espalier.fbs and FORMAT.md say the same");

/// One level of a sphere tree, as stored (schema: SphereLevel).
struct alignas(8) SphereLevelNode {
    std::uint32_t first;    //  0
    std::uint32_t count;    //  4
    float error_mean;       //  8
    float error_max;        // 12
    double union_volume;    // 16
    double outside_volume;  // 24
};
static_assert(sizeof(SphereLevelNode) == 32, "schema/espalier.fbs and FORMAT.md say the same");

/// What the spheres of a tree cover (Hubbard 1996, section 6.1; FORMAT.md, "Coverage").
enum class SphereCoverage : std::uint8_t { kFull = 0, kLevel = 1, kSampled = 2 };

/// A box as stored (schema: Box).
struct StoredBox {
    float lo[3];
    float hi[3];
};
static_assert(sizeof(StoredBox) == 24, "schema/espalier.fbs and FORMAT.md say the same");

/// Triangles of a part. Exactly one of the index arrays is set.
struct MeshView {
    const float* positions = nullptr;  ///< x y z of each vertex
    std::uint32_t vertex_count = 0;
    const std::uint16_t* indices16 = nullptr;
    const std::uint32_t* indices32 = nullptr;
    std::uint32_t triangle_count = 0;
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

/// An aabb tree; `nodes` is null when the part has none.
struct AabbTreeView {
    const AabbNode* nodes = nullptr;
    std::uint32_t node_count = 0;
    std::uint32_t depth = 0;
    float lo[3] = {0, 0, 0};  ///< decoded box of the root
    float hi[3] = {0, 0, 0};
    const std::uint32_t* triangle_order = nullptr;  ///< leaf order -> triangle, or null: the same

    std::uint32_t triangle_at(std::uint32_t leaf_position) const {
        return triangle_order ? triangle_order[leaf_position] : leaf_position;
    }
};

/// A box tree; `leaf_count` is 0 when the part has none. A tree of one leaf has no nodes.
struct BoxTreeView {
    const BoxNode* nodes = nullptr;
    std::uint32_t leaf_count = 0;      ///< one more than nodes
    std::uint32_t leaf_triangles = 0;  ///< in every leaf but the last
    std::uint32_t depth = 0;           ///< splits on the longest path
    float lo[3] = {0, 0, 0};           ///< box of the root
    float hi[3] = {0, 0, 0};
    const std::uint32_t* triangle_order = nullptr;  ///< leaf order -> triangle, or null: the same

    std::uint32_t triangle_at(std::uint32_t leaf_position) const {
        return triangle_order ? triangle_order[leaf_position] : leaf_position;
    }
};

/// A cell tree; `unit_count` is 0 when the part has none.
struct CellTreeView {
    const CellNode* nodes = nullptr;
    std::uint32_t unit_count = 0;
    std::uint32_t depth = 0;  ///< cuts on the longest path
    float delta = 0;          ///< half thickness of a cut
    float lo[3] = {0, 0, 0};  ///< cell of the root
    float hi[3] = {0, 0, 0};
    const std::uint32_t* triangles = nullptr;  ///< leaf lists, one after the other
    std::uint32_t triangle_entries = 0;
    const std::uint32_t* edges = nullptr;  ///< likewise: 3 * triangle + corner at which the edge begins
    std::uint32_t edge_entries = 0;
};

/// A sphere tree or DAG; `spheres` is null when the part has none.
struct SphereTreeView {
    const SphereNode* spheres = nullptr;  ///< level by level, the root first
    const float* errors = nullptr;        ///< one a sphere: its farthest point's distance from the solid
    const SphereLevelNode* levels = nullptr;
    const std::uint32_t* child_ends = nullptr;  ///< one a sphere above the last level
    const std::uint32_t* child_list = nullptr;  ///< DAGs only
    const std::uint32_t* leaf_ends = nullptr;   ///< one a sphere of the last level
    const std::uint32_t* leaf_triangles = nullptr;
    const StoredBox* shells = nullptr;           ///< boxes of the surface's connected pieces, or null
    const std::uint32_t* shared_ends = nullptr;  ///< one a sphere above the last level, or null: none shares
    const std::uint32_t* shared_list = nullptr;  ///< set where shared_ends is
    std::uint32_t sphere_count = 0;
    std::uint32_t level_count = 0;
    std::uint32_t child_list_count = 0;
    std::uint32_t leaf_triangle_count = 0;
    std::uint32_t shell_count = 0;
    std::uint32_t shared_list_count = 0;
    SphereCoverage coverage = SphereCoverage::kFull;
    bool proved = false;         ///< the coverage holds: lower bounds may be concluded
    bool volume_proved = false;  ///< the last level covers the inside too
    bool open = false;           ///< errors count from the triangles, not from a solid
    double solid_volume = 0;
    std::uint8_t limit = 0;   ///< what ended the refinement: 0 count, 1 error
    std::uint8_t method = 0;  ///< 0 best, 1 hubbard, 2 octree
    std::uint32_t branch = 0;

    bool dag() const { return child_list != nullptr; }
    /// Spheres above the last level: those with children.
    std::uint32_t inner_count() const { return levels[level_count - 1].first; }
    /// Children of an inner sphere: positions from `*first` to `*end`; see child_at.
    void children(std::uint32_t sphere, std::uint32_t* first, std::uint32_t* end) const {
        *first = sphere ? child_ends[sphere - 1] : dag() ? 0u : 1u;
        *end = child_ends[sphere];
    }
    std::uint32_t child_at(std::uint32_t position) const {
        return child_list ? child_list[position] : position;
    }
    /// Neighbours' children that an inner sphere shares: entries of shared_list from `*first` to `*end`, none
    /// where the file has no such list. Full coverage of one sphere alone needs them; a descent from the root
    /// does not, so no query looks at them.
    void shared(std::uint32_t sphere, std::uint32_t* first, std::uint32_t* end) const {
        *first = shared_ends && sphere ? shared_ends[sphere - 1] : 0u;
        *end = shared_ends ? shared_ends[sphere] : 0u;
    }
    /// Triangles of a sphere of the last level: entries of leaf_triangles from `*first` to `*end`.
    void leaf(std::uint32_t sphere, std::uint32_t* first, std::uint32_t* end) const {
        const std::uint32_t j = sphere - inner_count();
        *first = j ? leaf_ends[j - 1] : 0u;
        *end = leaf_ends[j];
    }
    /// Level of a sphere, the root's is 0.
    std::uint32_t level_of(std::uint32_t sphere) const {
        std::uint32_t level = level_count - 1;
        while (sphere < levels[level].first) --level;
        return level;
    }
};

/// One rigid piece of an asset.
struct PartView {
    const char* name = "";  ///< zero-terminated, in the file
    double origin[3] = {0, 0, 0};
    float lo[3] = {0, 0, 0};
    float hi[3] = {0, 0, 0};
    bool closed = false;
    MeshView mesh;
    AabbTreeView aabb;
    BoxTreeView box;
    CellTreeView cell;
    SphereTreeView sphere;
};

/// A view of an opened file. Copyable; valid as long as the bytes are. Concurrent reads are safe.
class Asset {
  public:
    std::uint16_t version_major() const { return version_major_; }
    std::uint16_t version_minor() const { return version_minor_; }
    std::uint32_t builder_revision() const { return builder_revision_; }
    std::uint64_t checksum() const { return checksum_; }
    std::uint32_t part_count() const { return part_count_; }
    const std::uint8_t* data() const { return data_; }
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
