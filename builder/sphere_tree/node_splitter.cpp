// SPDX-License-Identifier: GPL-3.0-or-later
// One step down a sphere tree.
#include "builder/sphere_tree/node_splitter.h"

#include <algorithm>
#include <cmath>

#include "builder/sphere_tree/medial_merge.h"
#include "builder/sphere_tree/region.h"
#include "builder/sphere_tree/smallest_ball.h"
#include "builder/sphere_tree/sphere_fit.h"

namespace espalier {
namespace {

using Eigen::Vector3d;

/// Longest edge of a piece, in parent radii, for eight children. Finer pieces cost time and gain little.
constexpr double kPieceSize = 0.12;
/// How much finer pieces become where two balls or a ball and its parent's boundary meet.
constexpr double kBoundaryRefinement = 1.0 / 8.0;

/// How far, in parent radii, the outside volume of children is known; none may reach farther.
constexpr double kContextReach = 2.0;
/// Width of the cells in which the outside volume is measured, in piece sizes.
constexpr double kCellWidth = 0.8;

/// The area that a ball with children covers at most, usually, in mean areas: there are not children enough
/// for more.
constexpr double kUsualArea = 6.0;

struct PieceSizes {
    double size;
    double smallest;
};

/// Sketches of different numbers of children are compared, so their pieces are alike.
std::uint32_t pieces_for(const SplitContext& context, std::uint32_t children) {
    const bool shared = children <= kMostShare * context.options.branch;
    return shared ? std::min(children, context.options.branch) : children;
}

PieceSizes sizes_for(const Ball& ball, std::uint32_t children) {
    const double size = kPieceSize * ball.radius * std::min(1.0, std::sqrt(8.0 / children));
    return {size, size * kBoundaryRefinement};
}

/// Sampled coverage asks for points only.
std::vector<Piece> centroids(const std::vector<Piece>& pieces) {
    std::vector<Piece> points = pieces;
    for (Piece& p : points) {
        const Vector3d middle = (p.corner[0] + p.corner[1] + p.corner[2]) / 3.0;
        p.corner = {middle, middle, middle};
    }
    return points;
}

std::vector<Piece> all_triangles(const TriangleMesh& mesh) {
    std::vector<Piece> pieces;
    pieces.reserve(mesh.triangles.size());
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        pieces.push_back(whole_triangle(mesh, t));
    }
    return pieces;
}

/// The samples inside the ball, each with the largest medial ball that touches it (its pole).
std::vector<FitSeed> seeds_in(const SplitContext& context, const Ball& ball) {
    std::vector<FitSeed> seeds;
    const MedialSet& set = *context.medial;
    for (std::size_t s = 0; s < set.samples.size(); ++s) {
        const Vector3d& point = set.samples[s].point;
        if ((point - ball.center).squaredNorm() <= ball.radius * ball.radius) {
            const MedialBall& pole = set.balls[context.poles[s]];
            seeds.push_back({point, {pole.center, pole.radius}});
        }
    }
    return seeds;
}

/// What the fit of a node's children looks at.
struct FitTask {
    std::vector<Piece> pieces;   ///< to cover
    std::vector<Piece> context;  ///< all that the children may meet
    std::vector<FitSeed> seeds;
    FitOptions options;
};

FitTask fit_task(const SplitContext& context, const TreeNode& node, std::uint32_t most, std::uint32_t level,
                 std::vector<Taken> taken) {
    const PieceSizes sizes = sizes_for(node.ball, pieces_for(context, most));
    FitTask task;
    FitOptions& options = task.options;
    options.count = most;
    options.smallest_piece = sizes.smallest;
    // Few nodes, and all the others depend on them: the upper levels are worth more work.
    const std::uint32_t effort = context.options.effort;
    options.effort = effort + (level == 1 ? 4 * effort : level == 2 ? effort : 0);
    options.distances = context.distances;
    if (level + 1 < context.options.levels && !context.options.dag) {
        options.usual_area =
            kUsualArea * context.area / std::pow(double(context.options.branch), double(level));
    }
    options.slack = context.slack;
    options.cell = kCellWidth * sizes.size;
    options.parent = node.ball;
    options.chain = node.chain;
    options.taken = std::move(taken);
    task.pieces =
        pieces_in_ball(context.mesh, context.boxes, node.ball, sizes.size, sizes.size / 4.0, context.slack);
    if (context.options.coverage == CoveragePolicy::kSampled) {
        task.pieces = centroids(task.pieces);
    }
    // Balls may stick out of their parent, and what is there must count.
    options.reach = {node.ball.center, kContextReach * node.ball.radius};
    task.context = pieces_in_ball(context.measured, context.measured_boxes, options.reach, sizes.size,
                                  4.0 * sizes.size, context.slack);
    task.seeds = seeds_in(context, node.ball);
    return task;
}

std::vector<TreeNode> split_by_merging(const SplitContext& context, const TreeNode& node,
                                       std::uint32_t most) {
    const PieceSizes sizes = sizes_for(node.ball, most);
    std::vector<MergedSphere> merged = merge_medial(*context.medial, node.medial, most);
    std::vector<Ball> balls;
    for (const MergedSphere& sphere : merged) {
        balls.push_back(sphere.ball);
    }
    if (balls.empty()) {
        balls.push_back(node.ball);
        merged.emplace_back();
    }
    // Sampled: merging covers the forming points by itself.
    std::vector<Piece> region;
    if (context.options.coverage != CoveragePolicy::kSampled) {
        region = refine_pieces(node.pieces, sizes.size, std::size_t(1) << 22);
    }
    auto owned = cover_pieces(balls, region, sizes.smallest, context.slack);
    std::vector<TreeNode> nodes(balls.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        nodes[i].ball = round_outward(balls[i], context.slack);
        nodes[i].pieces = std::move(owned[i]);
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        nodes[i].medial = std::move(merged[i].members);
    }
    return nodes;
}

std::vector<TreeNode> split_by_octants(const SplitContext& context, const TreeNode& node) {
    std::vector<TreeNode> nodes;
    for (Octant& octant : occupied_octants(node.octant)) {
        TreeNode child;
        Ball ball = octant_ball(octant);
        for (const Piece& piece : octant.pieces) {
            ball.radius = std::max(ball.radius, farthest_corner(piece, ball.center));
        }
        child.ball = round_outward(ball, context.slack);
        child.octant = std::move(octant);
        nodes.push_back(std::move(child));
    }
    return nodes;
}

}  // namespace

TreeNode root_node(const SplitContext& context) {
    TreeNode root;
    std::vector<Vector3d> points;
    points.reserve(context.mesh.positions.size());
    for (const auto& p : context.mesh.positions) {
        points.push_back(p.cast<double>());
    }
    root.ball = smallest_ball(points);
    if (context.options.method == SphereMethod::kOctree) {
        root.octant = root_octant(all_triangles(context.mesh));
        root.ball = octant_ball(root.octant);
        for (const Vector3d& p : points) {
            root.ball.radius = std::max(root.ball.radius, (p - root.ball.center).norm());
        }
    }
    root.ball = round_outward(root.ball, context.slack);
    if (context.options.method == SphereMethod::kHubbard) {
        root.pieces = all_triangles(context.mesh);
        root.medial.resize(context.medial->balls.size());
        for (std::uint32_t i = 0; i < root.medial.size(); ++i) {
            root.medial[i] = i;
        }
    }
    return root;
}

std::vector<Sketch> sketch_children(const SplitContext& context, const TreeNode& node, std::uint32_t most,
                                    std::uint32_t level, std::vector<Taken> taken) {
    const FitTask task = fit_task(context, node, most, level, std::move(taken));
    return sketch_spheres(task.pieces, task.context, task.seeds, context.inside, task.options);
}

FitResult fit_children(const SplitContext& context, const TreeNode& node, std::uint32_t most,
                       std::uint32_t level, ChildSearch search) {
    FitTask task = fit_task(context, node, most, level, std::move(search.taken));
    task.options.start = std::move(search.start);
    task.options.start_kind = search.start_kind;
    task.options.price = search.price;
    task.options.settled = search.settled;
    task.options.exchange = search.exchange;
    return fit_spheres(task.pieces, task.context, task.seeds, context.inside, task.options);
}

std::size_t root_pieces(const SplitContext& context) {
    const Ball ball = root_node(context).ball;
    const double size = sizes_for(ball, context.options.branch).size;
    return pieces_in_ball(context.mesh, context.boxes, ball, size, size, context.slack).size();
}

double smallest_piece(const SplitContext& context, const Ball& ball, std::uint32_t count) {
    return sizes_for(ball, pieces_for(context, count)).smallest / 4.0;
}

Ball idle_child(const SplitContext& context, const Ball& ball) {
    for (const FitSeed& seed : seeds_in(context, ball)) {
        if (seed.ball.radius < ball.radius) {
            return seed.ball;
        }
    }
    return {ball.center, 0.0};
}

std::vector<TreeNode> split_node(const SplitContext& context, const TreeNode& node, std::uint32_t most) {
    std::vector<TreeNode> children = context.options.method == SphereMethod::kOctree
                                         ? split_by_octants(context, node)
                                         : split_by_merging(context, node, most);
    if (children.empty()) {
        children.push_back(node);  // every sphere above the last level has a child
    }
    return children;
}

}  // namespace espalier
