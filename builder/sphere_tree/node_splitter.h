// SPDX-License-Identifier: GPL-3.0-or-later
// One step down a sphere tree: from a sphere to its children, by each of the three methods.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "builder/medial/medial_set.h"
#include "builder/mesh/inside_test.h"
#include "builder/sphere_tree/octree_spheres.h"
#include "builder/sphere_tree/sphere_fit.h"
#include "builder/sphere_tree/sphere_tree.h"
#include "builder/sphere_tree/surface_pieces.h"
#include "builder/sphere_tree/triangle_boxes.h"

namespace espalier {

/// A sphere under construction and what its method needs to find its children.
struct TreeNode {
    Ball ball;                  ///< final: float32 values
    std::vector<Piece> pieces;  ///< level and sampled coverage: the pieces that this sphere answers for
    std::vector<std::uint32_t> medial;  ///< Hubbard: medial spheres merged into this one
    Octant octant;                      ///< octree
    double error = -1.0;                ///< upper bound; negative: not known yet
};

/// What all nodes share; borrowed, constant while a tree is built.
struct SplitContext {
    const TriangleMesh& mesh;  ///< with outward orientation where there is one
    const InsideTest& inside;
    const TriangleBoxes& boxes;
    const MedialSet* medial = nullptr;  ///< all methods but the octree
    const SphereTreeOptions& options;
    double slack = 0.0;
    std::vector<float> thickness;      ///< by triangle: the mean radius of medial balls that touch it
    std::vector<std::uint32_t> poles;  ///< by sample of the medial set: the largest ball that it forms
};

/// The root: the smallest ball around the mesh (octree: the cube's circumscribed sphere).
TreeNode root_node(const SplitContext& context);

/// A sphere has up to so many times the mean number of children.
inline constexpr std::uint32_t kMostShare = 2;

/// Sketches of 1, 2, ... `most` children. Best method only.
std::vector<Sketch> sketch_children(const SplitContext& context, const TreeNode& node, std::uint32_t most,
                                    std::uint32_t level);

/// One to `most` children that together cover what the policy asks. `level` is theirs (1 below the root). The
/// best method begins with the sketch, where there is one.
std::vector<TreeNode> split_node(const SplitContext& context, const TreeNode& node, std::uint32_t most,
                                 std::uint32_t level, const std::vector<Ball>& sketch = {});

}  // namespace espalier
