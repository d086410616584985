// SPDX-License-Identifier: MIT
// How an aabb tree is found in a file and proved safe to query.
#pragma once

#include "../format/flatbuffer_reader.h"
#include "espalier/asset.h"

namespace espalier {

/// A row of format/hierarchies.h.
struct AabbFormat {
    static constexpr AabbTreeView ShapeView::*kView = &ShapeView::aabb;
    /// Field ids of schema/espalier.fbs; tests compare them with flatc's generated offsets.
    static constexpr std::uint32_t kShapeField = 8;
    enum Field : std::uint32_t {
        kBounds = 0,
        kDepth = 1,
        kNodes = 2,
        kTriangleOrder = 3,
    };

    /// Fills the view, whose mesh was read.
    static Status read(const Table& table, const MeshView& mesh, AabbTreeView* tree);
    /// Checks what queries rely on; linear in the tree's size.
    static Status verify(const AabbTreeView& tree, const MeshView& mesh);
    /// 0: the work on the tree is bounded by its mesh, which counts already.
    static std::uint32_t words(const AabbTreeView&) { return 0; }
};

}  // namespace espalier
