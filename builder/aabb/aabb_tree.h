// SPDX-License-Identifier: GPL-3.0-or-later
// The aabb tree (van den Bergen 1998): built top down, four children a node, then quantized outward.
#pragma once

#include <cstdint>
#include <vector>

#include "builder/aabb/options.h"
#include "builder/base/progress.h"
#include "builder/surface/triangle_mesh.h"
#include "espalier/asset.h"

namespace espalier {

/// The baked tree, ready to be written.
struct AabbTree {
    Eigen::Vector3f lo, hi;  ///< box of the root
    std::uint32_t depth = 0;
    std::vector<AabbNode> nodes;
    std::vector<std::uint32_t> order;  ///< leaf position -> triangle of the input mesh
};

/// Builds the tree of a clean mesh. The result depends on the mesh and the options only, not on the thread
/// count. Depth never exceeds kMaxAabbDepth.
AabbTree build_aabb_tree(const TriangleMesh& mesh, const AabbTreeOptions& options, Progress& progress);

}  // namespace espalier
