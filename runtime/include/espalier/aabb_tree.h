// SPDX-License-Identifier: MIT
// An aabb tree as it lies in the file: quantized boxes with slabs, four children a node.
#pragma once

#include <cstddef>
#include <cstdint>

#include "espalier/query.h"

namespace espalier {

/// Longest root-to-leaf path, in nodes, that the fixed query stacks hold. The builder never makes a deeper
/// tree and a full verification refuses one. Raising it grows every query object.
constexpr std::uint32_t kMaxAabbDepth = 16;

/// Values of AabbNode::kind beside the leaf counts 1..kMaxLeafTriangles.
constexpr std::uint8_t kChildNone = 0;
constexpr std::uint8_t kChildInner = 255;

/// Four children of an aabb-tree node, as stored (schema: AabbNode).
struct AabbNode {
    std::uint8_t lo[12];     ///< byte 0: lower sides of four children, x then y then z, in 255ths of this box
    std::uint8_t hi[12];     ///< byte 12: upper sides, the same way
    std::int8_t normal[12];  ///< byte 24: directions of the slabs
    std::uint8_t slab_lo[4];       ///< byte 36: where the slabs begin
    std::uint8_t slab_hi[4];       ///< byte 40: and end
    std::uint8_t radius[4];        ///< byte 44: about the axis of the slab
    std::uint8_t kind[4];          ///< byte 48: absent, inner, or triangles of the leaf
    std::uint32_t first_child;     ///< byte 52: node of the first inner child
    std::uint32_t first_triangle;  ///< byte 56: position of the first leaf's triangles
    std::uint32_t reserved;        ///< byte 60: 0
};
static_assert(sizeof(AabbNode) == 64, "one cache line; schema/espalier.fbs and FORMAT.md say the same");

/// An aabb tree; `nodes` is null when the part has none.
struct AabbTreeView {
    const AabbNode* nodes = nullptr;                ///< in the order of schema/FORMAT.md
    std::uint32_t node_count = 0;                   ///< number of nodes
    std::uint32_t depth = 0;                        ///< number of levels
    float lo[3] = {0, 0, 0};                        ///< decoded box of the root
    float hi[3] = {0, 0, 0};                        ///< upper corner
    const std::uint32_t* triangle_order = nullptr;  ///< leaf order -> triangle, or null: the same

    /// Whether the part has this hierarchy.
    bool present() const { return nodes != nullptr; }
    /// Triangle of the mesh at a position of the leaves.
    std::uint32_t triangle_at(std::uint32_t leaf_position) const {
        return triangle_order ? triangle_order[leaf_position] : leaf_position;
    }

    // What the queries on this tree are made of: Collide<AabbTreeView>.
    /// What Collide finds.
    using Found = Contact;
    /// Whether the tree has an overlap test.
    static constexpr bool has(Overlap overlap) {
        return overlap == Overlap::kSatLite || overlap == Overlap::kSat;
    }
    /// Bytes of the state of Collide and Contacts.
    static constexpr std::size_t contact_bytes(Overlap) { return 15360; }
    /// Bytes of the state of Distance.
    static constexpr std::size_t kDistanceBytes = 16384;
    /// Bytes of the state of RayCast.
    static constexpr std::size_t kRayBytes = 3584;
};

}  // namespace espalier
