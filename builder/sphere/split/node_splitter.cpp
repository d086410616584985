// SPDX-License-Identifier: GPL-3.0-or-later
// One step down a sphere tree.
#include "builder/sphere/split/node_splitter.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "builder/sphere/coverage/cover_level.h"
#include "builder/sphere/coverage/gap.h"
#include "builder/sphere/coverage/region.h"
#include "builder/sphere/coverage/smallest_ball.h"
#include "builder/sphere/split/medial_merge.h"
#include "builder/sphere/split/piece_owners.h"

namespace espalier {
namespace {

using Eigen::Vector3d;

/// Longest edge of a piece, in parent radii, for eight children. Finer pieces cost time and gain little.
constexpr double kPieceSize = 0.12;
/// How much finer pieces become where two balls or a ball and its parent's boundary meet.
constexpr double kBoundaryRefinement = 1.0 / 8.0;

/// Pieces of one sphere's surface; where there are more, they stay as long as they are.
constexpr std::size_t kMostPieces = std::size_t(1) << 22;

struct PieceSizes {
    double size;
    double smallest;
};

PieceSizes sizes_for(const Ball& ball, std::uint32_t children) {
    const double size = kPieceSize * ball.radius * std::min(1.0, std::sqrt(8.0 / children));
    return {size, size * kBoundaryRefinement};
}

std::vector<Piece> all_triangles(const TriangleMesh& mesh) {
    std::vector<Piece> pieces;
    pieces.reserve(mesh.triangles.size());
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) pieces.push_back(whole_triangle(mesh, t));
    return pieces;
}

/// Whether each sphere alone sees to it that its children cover what it answers for; otherwise any sphere of
/// the level may, see cover_anywhere.
bool each_for_itself(const SphereTreeOptions& options) {
    return options.coverage == CoveragePolicy::kFull && !options.dag;
}

/// The sphere with float32 numbers that covers what lies in the ball.
Ball sphere_of(const SplitContext& context, const Ball& ball) {
    return round_outward(sphere_to_cover(ball, context.gap), context.slack);
}

/// What a sphere covers, and what those above it do.
Ancestors below(const SplitContext& context, const Ball& sphere, const Ancestors& above) {
    Ancestors ancestors = {covering_ball(sphere, context.gap)};
    ancestors.insert(ancestors.end(), above.begin(), above.end());
    return ancestors;
}

std::vector<TreeNode> split_by_merging(const SplitContext& context, const TreeNode& node,
                                       std::uint32_t most) {
    const PieceSizes sizes = sizes_for(node.ball, most);
    std::vector<MergedSphere> merged = merge_medial(*context.medial, node.medial, most);
    assert(!merged.empty());
    std::vector<Ball> balls;
    balls.reserve(merged.size());
    for (const MergedSphere& sphere : merged) balls.push_back(sphere.ball);
    std::vector<std::vector<Piece>> owned(balls.size());
    if (each_for_itself(context.options)) {
        const PieceOwners owners(*context.medial, merged);
        owned = cover_by_owners(balls, refine_pieces(node.pieces, sizes.size, kMostPieces), owners,
                                sizes.smallest, context.slack);
    }
    std::vector<TreeNode> nodes(balls.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        nodes[i].ball = sphere_of(context, balls[i]);
        nodes[i].pieces = std::move(owned[i]);
        nodes[i].medial = std::move(merged[i].members);
    }
    return nodes;
}

std::vector<TreeNode> split_by_octants(const SplitContext& context, const TreeNode& node) {
    std::vector<TreeNode> nodes;
    for (Octant& octant : occupied_octants(node.octant)) {
        TreeNode child;
        Ball ball = octant_ball(octant);
        for (const Piece& piece : octant.pieces)
            ball.radius = std::max(ball.radius, farthest_corner(piece, ball.center));
        child.ball = sphere_of(context, ball);
        child.octant = std::move(octant);
        nodes.push_back(std::move(child));
    }
    return nodes;
}

}  // namespace

double spacing_of(const SplitContext& context, double count) {
    return std::max(std::sqrt(context.area / count), context.extent / count);
}

TreeNode node_to_cover(const SplitContext& context, const Ball& ball, const Ancestors& above) {
    TreeNode node;
    node.ball = sphere_of(context, ball);
    node.ancestors = below(context, node.ball, above);
    return node;
}

TreeNode root_node(const SplitContext& context) {
    TreeNode root;
    std::vector<Vector3d> points;
    points.reserve(context.mesh.positions.size());
    for (const auto& p : context.mesh.positions) points.push_back(p.cast<double>());
    root.ball = smallest_ball(points);
    if (context.options.method == SphereMethod::kOctree) {
        root.octant = root_octant(all_triangles(context.mesh));
        root.ball = octant_ball(root.octant);
        for (const Vector3d& p : points)
            root.ball.radius = std::max(root.ball.radius, (p - root.ball.center).norm());
    }
    root.ball = sphere_of(context, root.ball);
    if (context.options.method == SphereMethod::kHubbard) {
        root.pieces = all_triangles(context.mesh);
        root.medial.resize(context.medial->balls.size());
        for (std::uint32_t i = 0; i < root.medial.size(); ++i) root.medial[i] = i;
    }
    return root;
}

Ball idle_child(const SplitContext& context, const Ball& ball) {
    return {context.query.closest(ball.center).point, 0.0};
}

std::vector<TreeNode> split_node(const SplitContext& context, const TreeNode& node, std::uint32_t most) {
    std::vector<TreeNode> children = context.options.method == SphereMethod::kOctree
                                         ? split_by_octants(context, node)
                                         : split_by_merging(context, node, most);
    if (children.empty()) children.push_back(node);  // every sphere above the last level has a child
    return children;
}

void cover_anywhere(const SplitContext& context, std::vector<TreeNode>& above, ChildLists& children) {
    if (each_for_itself(context.options) || context.options.method != SphereMethod::kHubbard ||
        context.options.coverage == CoveragePolicy::kSampled)
        return;
    std::vector<Siblings> groups(above.size());
    for (std::size_t i = 0; i < above.size(); ++i) {
        groups[i].ancestors = above[i].ancestors;
        groups[i].smallest_piece =
            sizes_for(above[i].ball, static_cast<std::uint32_t>(children[i].size())).smallest;
        for (const TreeNode& child : children[i])
            groups[i].children.push_back(covering_ball(child.ball, context.gap));
    }
    cover_level(context.mesh, context.boxes, groups, context.slack);
    widen(context, groups, above);
    for (std::size_t i = 0; i < above.size(); ++i) {
        for (std::size_t c = 0; c < children[i].size(); ++c) {
            TreeNode& child = children[i][c];
            if (groups[i].children[c].radius > covering_ball(child.ball, context.gap).radius) {
                child.ball = sphere_of(context, groups[i].children[c]);
                child.error = -1.0;
            }
            child.ancestors = below(context, child.ball, above[i].ancestors);
        }
    }
}

void widen(const SplitContext& context, const std::vector<Siblings>& groups, std::vector<TreeNode>& above) {
    for (std::size_t i = 0; i < above.size(); ++i) {
        if (!groups[i].ancestors.empty() &&
            groups[i].ancestors.front().radius > above[i].ancestors.front().radius) {
            above[i].ball = sphere_of(context, groups[i].ancestors.front());
            above[i].ancestors.front() = covering_ball(above[i].ball, context.gap);
            above[i].error = -1.0;
        }
    }
}

}  // namespace espalier
