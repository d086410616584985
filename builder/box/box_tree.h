// SPDX-License-Identifier: GPL-3.0-or-later
// The restricted BoxTree (Zachmann 2002): built top down, boxes never stored, four bytes a box.
// docs/box-tree.md records which of the paper's extensions were tried and what they gained.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "builder/base/progress.h"
#include "builder/box/options.h"
#include "builder/surface/triangle_mesh.h"
#include "espalier/asset.h"

namespace espalier {

/// The baked tree, ready to be written.
struct BoxTree {
    Eigen::Vector3f lo, hi;  ///< box of the root
    std::uint32_t depth = 0;
    std::uint32_t leaf_triangles = 0;
    std::vector<BoxNode> nodes;        ///< empty for a single leaf
    std::vector<std::uint32_t> order;  ///< leaf position -> triangle of the input mesh
};

/// Builds the tree of a clean mesh. The result depends on the mesh and the options only, not on the thread
/// count. Depth never exceeds kMaxBoxDepth. Empty when cancelled.
BoxTree build_box_tree(const TriangleMesh& mesh, const BoxTreeOptions& options, Progress& progress);

}  // namespace espalier
