// SPDX-License-Identifier: GPL-3.0-or-later
// How a cell tree is built.
#pragma once

#include <cstdint>

namespace espalier {

struct TreeRequest;

/// How a cell tree is built.
struct CellTreeOptions {
    /// Most cuts on a path, up to kMaxCellDepth, beside those that chip off empty cells; 0:
    /// default_cell_depth.
    std::uint32_t depth = 0;
    std::uint32_t min_triangles = 1;  ///< a cell with no more than this is not cut
    /// By how much a crossing triangle is worse than an unbalanced one; not negative. The paper's is 0.
    double gamma = 0;
    /// An empty cell is chipped off when it takes more than this share of its parent: 0 to 1, and 1 chips
    /// none.
    double empty_share = 0.05;
    /// A cell is not cut when a side would keep more than this share of its triangles: 0 to 1; cells of no
    /// more than 64 triangles not when a side would keep more than three quarters of this share.
    double lambda = 0.8;
    /// Half thickness of a cut, as a share of the longest side of the bounds: 0 to 0.01. Too small, and
    /// symmetric meshes have many triangles on both sides of a cut that they only touch; larger, and all
    /// cells overlap more.
    double delta = 1e-6;
};

/// A cell tree for BakeOptions::trees (builder/bake.h).
TreeRequest cell_tree(const CellTreeOptions& options = {});

}  // namespace espalier
