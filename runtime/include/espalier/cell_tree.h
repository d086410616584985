// SPDX-License-Identifier: MIT
// A cell tree as it lies in the file: cuts through space, leaves with lists of triangles and edges.
#pragma once

#include <cstddef>
#include <cstdint>

#include "espalier/query.h"

namespace espalier {

/// Most cuts on a path of a cell tree; the same promise as kMaxAabbDepth.
constexpr std::uint32_t kMaxCellDepth = 28;

/// One unit of a cell tree, as stored (schema: CellNode): an inner node, or half of a leaf.
struct alignas(8) CellNode {
    std::uint32_t first;   // 0
    std::uint32_t second;  // 4
};
static_assert(sizeof(CellNode) == 8, "a cut, its axis and a count; schema/espalier.fbs and FORMAT.md say so");

/// An edge of one part that meets a polygon of the other.
struct CellWitness {
    std::uint32_t edge_side = 0;      ///< 0: the edge is A's and the polygon B's; 1: the other way round
    std::uint32_t edge_triangle = 0;  ///< a triangle with the edge,
    std::uint32_t edge_corner = 0;    ///< and its corner at which the edge begins; it ends at the next
    std::uint32_t triangle = 0;       ///< the polygon
    double point[3] = {0, 0, 0};      ///< a point of both, to double rounding, in A's source frame
    double normal[3] = {0, 0, 0};     ///< unit normal of the polygon, in A's frame
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

    bool present() const { return unit_count != 0; }

    // What the queries on this tree are made of: Collide<CellTreeView>.
    /// What Collide finds.
    using Found = CellWitness;
    /// Whether the tree has an overlap test.
    static constexpr bool has(Overlap overlap) { return overlap != Overlap::kTable; }
    /// Bytes of the state of Collide and Contacts: the test decides what a cell carries.
    static constexpr std::size_t contact_bytes(Overlap overlap) {
        return overlap == Overlap::kClip ? 43008 : overlap == Overlap::kSat ? 33792 : 16384;
    }
    /// Bytes of the state of Distance.
    static constexpr std::size_t kDistanceBytes = 16384;
};

}  // namespace espalier
