// SPDX-License-Identifier: GPL-3.0-or-later
// One step down a sphere tree: from a sphere to its children, by merging or by octants.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "builder/medial/medial_set.h"
#include "builder/sphere/coverage/siblings.h"
#include "builder/sphere/sphere_tree.h"
#include "builder/sphere/split/octree_spheres.h"
#include "builder/surface/solid.h"
#include "builder/surface/surface_pieces.h"
#include "builder/surface/surface_query.h"
#include "builder/surface/triangle_boxes.h"

namespace espalier {

/// A sphere under construction and what its method needs to find its children.
struct TreeNode {
    Ball ball;                          ///< final: float32 values
    Ancestors ancestors;                ///< what it and all above it cover, without the root
    std::vector<Piece> pieces;          ///< Hubbard: the pieces that this sphere answers for
    std::vector<std::uint32_t> medial;  ///< Hubbard: medial spheres merged into this one
    Octant octant;                      ///< octree
    double error = -1.0;                ///< upper bound; negative: not known yet
};

/// What all nodes share; borrowed, constant while a tree is built.
struct SplitContext {
    const TriangleMesh& mesh;  ///< with outward orientation where there is one
    const Solid& solid;
    const SurfaceQuery& query;
    const TriangleBoxes& boxes;
    const MedialSet* medial = nullptr;  ///< Hubbard's method
    const SphereTreeOptions& options;
    double slack = 0.0;
    double area = 0.0;    ///< of the surface
    double extent = 0.0;  ///< of the mesh, from corner to corner
    double gap = 0.0;     ///< spheres cover with their radii larger by this, see coverage/gap.h
};

/// The distance of `count` points spread evenly over the surface, also where that is hardly more than a line.
double spacing_of(const SplitContext& context, double count);

/// The node of a sphere that covers what lies in the ball; `above` has what the spheres above it cover.
TreeNode node_to_cover(const SplitContext& context, const Ball& ball, const Ancestors& above);

/// The root: the smallest ball around the mesh (octree: the cube's circumscribed sphere).
TreeNode root_node(const SplitContext& context);

/// A child where there is nothing to cover: a point of the surface.
Ball idle_child(const SplitContext& context, const Ball& ball);

/// The nodes of each sphere of a level.
using ChildLists = std::vector<std::vector<TreeNode>>;

/// One to `most` children by Hubbard's merging or by octants, which cover the pieces that the sphere answers
/// for (merging: under full coverage; otherwise `cover_anywhere` has to follow).
std::vector<TreeNode> split_node(const SplitContext& context, const TreeNode& node, std::uint32_t most);

/// Merging where not each sphere's children alone cover what it answers for (level coverage, DAGs): grows the
/// children of all spheres of a level, and where need be these, until every piece of the surface lies in any
/// child whose ancestors hold it too (Hubbard 1996, "Ensuring conservative coverage": his policy for trees).
/// Does nothing under another method or policy.
void cover_anywhere(const SplitContext& context, std::vector<TreeNode>& above, ChildLists& children);

/// Takes over the spheres above that had to grow for their children to cover.
void widen(const SplitContext& context, const std::vector<Siblings>& groups, std::vector<TreeNode>& above);

}  // namespace espalier
