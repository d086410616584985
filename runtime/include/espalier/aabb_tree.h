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

/// An aabb tree; `nodes` is null when the part has none.
struct AabbTreeView {
    const AabbNode* nodes = nullptr;
    std::uint32_t node_count = 0;
    std::uint32_t depth = 0;
    float lo[3] = {0, 0, 0};  ///< decoded box of the root
    float hi[3] = {0, 0, 0};
    const std::uint32_t* triangle_order = nullptr;  ///< leaf order -> triangle, or null: the same

    bool present() const { return nodes != nullptr; }
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
