// SPDX-License-Identifier: GPL-3.0-or-later
// The aabb tree between its two steps: splitting (build.cpp) and quantizing (emit.cpp).
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "builder/aabb/aabb_tree.h"
#include "builder/hierarchy/triangle_bounds.h"

namespace espalier {

struct BuildNode;

/// A range of boxed triangles: a leaf, or an inner node when `node` is set.
struct BuildChild {
    std::uint32_t begin = 0, end = 0;
    Eigen::AlignedBox3f box;
    std::unique_ptr<BuildNode> node;

    std::uint32_t count() const { return end - begin; }
};

struct BuildNode {
    std::array<BuildChild, 4> children;
    std::uint32_t child_count = 0;
    std::uint32_t subtree_nodes = 1;
    std::uint32_t depth = 1;
};

/// Splits all triangles of the mesh; `boxes` ends up so that every child is a contiguous range.
std::unique_ptr<BuildNode> split_triangles(const AabbTreeOptions& options, std::vector<TriangleBounds>& boxes,
                                           Progress& progress);

/// Quantizes the split tree into its stored form.
AabbTree emit_aabb_tree(const TriangleMesh& mesh, const BuildNode& root,
                        const std::vector<TriangleBounds>& boxes);

}  // namespace espalier
