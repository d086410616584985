// SPDX-License-Identifier: MIT
// How a cell tree is found in a file and proved safe to query.
#pragma once

#include "../format/flatbuffer_reader.h"
#include "espalier/asset.h"

namespace espalier {

/// A row of format/hierarchies.h.
struct CellFormat {
    static constexpr CellTreeView ShapeView::*kView = &ShapeView::cell;
    /// Field ids of schema/espalier.fbs; tests compare them with flatc's generated offsets.
    static constexpr std::uint32_t kShapeField = 10;
    enum Field : std::uint32_t {
        kBounds = 0,
        kDepth = 1,
        kDelta = 2,
        kNodes = 3,
        kTriangles = 4,
        kEdges = 5,
    };

    /// Fills the view, whose mesh was read.
    static Status read(const Table& table, const MeshView& mesh, CellTreeView* tree);
    /// Checks what queries rely on; linear in the tree's size.
    static Status verify(const CellTreeView& tree, const MeshView& mesh);
    /// Size of the tree in the file in words of four bytes, each vector counted once: its size is its own,
    /// not its mesh's.
    static std::uint32_t words(const CellTreeView& tree) {
        // Each vector is shorter than 2^31 bytes, so 32 bits hold the sum.
        return 2 * tree.unit_count + tree.triangle_entries + tree.edge_entries;
    }
};

}  // namespace espalier
