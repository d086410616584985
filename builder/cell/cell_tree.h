// SPDX-License-Identifier: GPL-3.0-or-later
// The BoxTree of Zachmann 1997: space divided into cells, polygons and edges listed in every leaf cell that
// they meet, large empty cells chipped off. Takes any soup of triangles.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "builder/base/progress.h"
#include "builder/cell/options.h"
#include "builder/surface/triangle_mesh.h"
#include "espalier/asset.h"

namespace espalier {

/// The baked tree, ready to be written.
struct CellTree {
    Eigen::Vector3f lo, hi;  ///< cell of the root: the bounds
    std::uint32_t depth = 0;
    float delta = 0;
    std::vector<CellNode> nodes;
    std::vector<std::uint32_t> triangles;  ///< leaf lists, triangles of the input mesh
    std::vector<std::uint32_t> edges;      ///< leaf lists, 3 * triangle + corner
    std::vector<std::uint32_t> order;      ///< triangles of the input mesh by their first leaf
};

/// The paper's table of the best depth by the number of polygons ("Results"), continued by one level for
/// every doubling.
std::uint32_t default_cell_depth(std::uint64_t triangles);

/// Builds the tree of a clean mesh; options out of their ranges are clamped. The result depends on the mesh
/// and the options only, not on the thread count. Empty when cancelled.
CellTree build_cell_tree(const TriangleMesh& mesh, const CellTreeOptions& options, Progress& progress);

/// Every edge of the mesh once, boundary and non-manifold ones too: 3 * triangle + corner at which it begins,
/// of the first triangle that has it; ascending.
std::vector<std::uint32_t> unique_edges(const TriangleMesh& mesh);

}  // namespace espalier
