// SPDX-License-Identifier: MIT
// How a box tree is found in a file and proved safe to query.
#pragma once

#include "../format/flatbuffer_reader.h"
#include "espalier/asset.h"

namespace espalier {

/// A row of format/hierarchies.h.
struct BoxFormat {
    static constexpr BoxTreeView ShapeView::*kView = &ShapeView::box;
    /// Field ids of schema/espalier.fbs; tests compare them with flatc's generated offsets.
    static constexpr std::uint32_t kShapeField = 9;
    enum Field : std::uint32_t {
        kBounds = 0,
        kDepth = 1,
        kLeafTriangles = 2,
        kNodes = 3,
        kTriangleOrder = 4,
    };

    /// Fills the view, whose mesh was read.
    static Status read(const Table& table, const MeshView& mesh, BoxTreeView* tree);
    /// Checks what queries rely on; linear in the tree's size.
    static Status verify(const BoxTreeView& tree, const MeshView& mesh);
    /// 0: the work on the tree is bounded by its mesh, which counts already.
    static std::uint32_t words(const BoxTreeView&) { return 0; }
};

}  // namespace espalier
