// SPDX-License-Identifier: MIT
// A box tree as it lies in the file: three cuts a child, two children a node.
#pragma once

#include <cstddef>
#include <cstdint>

#include "espalier/query.h"

namespace espalier {

/// Most splits on a path of a box tree; the same promise as kMaxAabbDepth.
constexpr std::uint32_t kMaxBoxDepth = 40;

/// Two children of a box-tree node, as stored (schema: BoxNode).
struct alignas(8) BoxNode {
    std::int8_t cut[6];  // 0
    std::uint16_t left;  // 6
};
static_assert(sizeof(BoxNode) == 8, "4 bytes a box; schema/espalier.fbs and FORMAT.md say the same");

/// A box tree; `leaf_count` is 0 when the part has none. A tree of one leaf has no nodes.
struct BoxTreeView {
    const BoxNode* nodes = nullptr;
    std::uint32_t leaf_count = 0;      ///< one more than nodes
    std::uint32_t leaf_triangles = 0;  ///< in every leaf but the last
    std::uint32_t depth = 0;           ///< splits on the longest path
    float lo[3] = {0, 0, 0};           ///< box of the root
    float hi[3] = {0, 0, 0};
    const std::uint32_t* triangle_order = nullptr;  ///< leaf order -> triangle, or null: the same

    bool present() const { return leaf_count != 0; }
    std::uint32_t triangle_at(std::uint32_t leaf_position) const {
        return triangle_order ? triangle_order[leaf_position] : leaf_position;
    }

    // What the queries on this tree are made of: Collide<BoxTreeView>.
    /// What Collide finds.
    using Found = Contact;
    /// Whether the tree has an overlap test.
    static constexpr bool has(Overlap overlap) { return overlap != Overlap::kClip; }
    /// Bytes of the state of Collide and Contacts: the test decides how many intervals a box carries.
    static constexpr std::size_t contact_bytes(Overlap overlap) {
        return overlap == Overlap::kSat ? 26624 : overlap == Overlap::kTable ? 19200 : 14592;
    }
    /// Bytes of the state of Distance.
    static constexpr std::size_t kDistanceBytes = 17408;
    /// Bytes of the state of RayCast.
    static constexpr std::size_t kRayBytes = 4608;
};

}  // namespace espalier
