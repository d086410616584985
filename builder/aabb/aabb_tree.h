// SPDX-License-Identifier: GPL-3.0-or-later
// The aabb tree (van den Bergen 1998): built top down, four children a node, then quantized outward.
#pragma once

#include <cstdint>
#include <vector>

#include "builder/base/progress.h"
#include "builder/surface/triangle_mesh.h"
#include "espalier/asset.h"

namespace espalier {

enum class AabbSplit {
    kBinned,  ///< least surface-area cost over bins of all three axes
    kMedian,  ///< the paper's: middle of the longest side, equal halves if all fall on one side (section 2)
};

struct AabbTreeOptions {
    AabbSplit split = AabbSplit::kBinned;
    std::uint32_t leaf_triangles = 4;  ///< most triangles in a leaf, 1..kMaxLeafTriangles
};

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
