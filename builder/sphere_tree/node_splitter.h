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
    Ball ball;                          ///< final: float32 values
    Chain chain;                        ///< itself and all above it, without the root
    std::vector<Piece> pieces;          ///< Hubbard: the pieces that this sphere answers for
    std::vector<std::uint32_t> medial;  ///< Hubbard: medial spheres merged into this one
    Octant octant;                      ///< octree
    double error = -1.0;                ///< upper bound; negative: not known yet
};

/// What all nodes share; borrowed, constant while a tree is built.
struct SplitContext {
    const TriangleMesh& mesh;  ///< with outward orientation where there is one
    const InsideTest& inside;
    const TriangleBoxes& boxes;
    const TriangleMesh& measured;  ///< the same surface in compact triangles, for measuring volumes
    const TriangleBoxes& measured_boxes;
    const DistanceGrid* distances = nullptr;  ///< best method
    const MedialSet* medial = nullptr;        ///< all methods but the octree
    const SphereTreeOptions& options;
    double slack = 0.0;
    double area = 0.0;                 ///< of the surface
    std::vector<std::uint32_t> poles;  ///< by sample of the medial set: the largest ball that it forms
};

/// The root: the smallest ball around the mesh (octree: the cube's circumscribed sphere).
TreeNode root_node(const SplitContext& context);

/// Sketches have up to so many times the mean number of children, and a sphere in the end.
inline constexpr std::uint32_t kMostShare = 3;
inline constexpr std::uint32_t kMostChildren = 4;

/// Sketches of 1, 2, ... `most` children of the best method, for what of a sphere's surface is not taken.
std::vector<Sketch> sketch_children(const SplitContext& context, const TreeNode& node, std::uint32_t most,
                                    std::uint32_t level, std::vector<Taken> taken);

/// How children are looked for.
struct ChildSearch {
    std::vector<Taken> taken;
    std::vector<Ball> start;       ///< to begin with; empty: from medial balls
    std::uint32_t start_kind = 0;  ///< see FitOptions
    ErrorPrice price;
    bool settled = false;  ///< see FitOptions
    bool exchange = true;
};

/// At most `most` children by the best method, for what of a sphere's surface is not taken; see fit_spheres.
/// `level` is theirs (1 below the root).
FitResult fit_children(const SplitContext& context, const TreeNode& node, std::uint32_t most,
                       std::uint32_t level, ChildSearch search);

/// How many pieces the surface has for the root's children.
std::size_t root_pieces(const SplitContext& context);

/// The edge length below which pieces are not split for the sake of `count` children of a ball.
double smallest_piece(const SplitContext& context, const Ball& ball, std::uint32_t count);

/// A child where there is nothing to cover: a medial ball, which does not stick out, or else a point.
Ball idle_child(const SplitContext& context, const Ball& ball);

/// One to `most` children by Hubbard's merging or by octants, which cover the pieces that the sphere answers
/// for.
std::vector<TreeNode> split_node(const SplitContext& context, const TreeNode& node, std::uint32_t most);

}  // namespace espalier
