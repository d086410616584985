// SPDX-License-Identifier: MIT
// A cell tree as it lies in the file: cuts through space, leaves with lists of triangles and edges.
#pragma once

#include <cstdint>

namespace espalier {

/// Most cuts on a path of a cell tree; the same promise as kMaxAabbDepth.
constexpr std::uint32_t kMaxCellDepth = 28;

/// One unit of a cell tree, as stored (schema: CellNode): an inner node, or half of a leaf.
struct alignas(8) CellNode {
    std::uint32_t first;   // 0
    std::uint32_t second;  // 4
};
static_assert(sizeof(CellNode) == 8, "a cut, its axis and a count; schema/espalier.fbs and FORMAT.md say so");

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
};

}  // namespace espalier
