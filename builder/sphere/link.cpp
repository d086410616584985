// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere/link.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "builder/sphere/coverage/gap.h"
#include "builder/sphere/coverage/region.h"

namespace espalier {
namespace {

/// Length of the pieces that tell which children of a DAG's sphere meet its surface, in its radii. Smaller:
/// fewer children that only come near, and more time.
constexpr double kLinkPiece = 0.1;

/// The numbers of the nodes of the next level that meet what of the surface a node covers.
std::vector<std::uint32_t> nodes_met(const SplitContext& context, const TreeNode& node,
                                     const std::vector<TreeNode>& below) {
    const Ball ball = covering_ball(node.ball, context.gap);
    const double size = kLinkPiece * ball.radius;
    const auto region = pieces_in_ball(context.mesh, context.boxes, ball, size, size, context.slack);
    std::vector<std::uint32_t> met;
    for (std::uint32_t c = 0; c < below.size(); ++c) {
        const Ball other = covering_ball(below[c].ball, context.gap);
        if ((other.center - ball.center).norm() > other.radius + ball.radius + context.slack) continue;
        const bool meets = std::any_of(region.begin(), region.end(), [&](const Piece& piece) {
            return !piece_outside_ball(piece, other.center, other.radius + context.slack);
        });
        if (meets) met.push_back(c);
    }
    return met;
}

}  // namespace

void append_spheres(const NodeLevels& levels, SphereTree& tree) {
    for (const std::vector<TreeNode>& nodes : levels) {
        SphereLevel level;
        level.first = static_cast<std::uint32_t>(tree.spheres.size());
        level.count = static_cast<std::uint32_t>(nodes.size());
        for (const TreeNode& node : nodes) {
            assert(node.error >= 0.0);
            Sphere sphere;
            sphere.center = node.ball.center.cast<float>();
            sphere.radius = static_cast<float>(node.ball.radius);
            sphere.error = round_up(node.error);
            tree.spheres.push_back(sphere);
        }
        tree.levels.push_back(level);
    }
}

void link_tree(const std::vector<std::vector<std::uint32_t>>& child_counts, SphereTree& tree) {
    assert(child_counts.size() + 1 >= tree.levels.size());
    for (std::size_t l = 0; l + 1 < tree.levels.size(); ++l) {
        std::uint32_t next = tree.levels[l + 1].first;
        for (std::uint32_t i = 0; i < tree.levels[l].count; ++i) {
            Sphere& sphere = tree.spheres[tree.levels[l].first + i];
            sphere.first_child = next;
            sphere.child_count = child_counts[l][i];
            next += sphere.child_count;
        }
    }
}

void link_dag(const SplitContext& context, const NodeLevels& levels, SphereTree& tree) {
    for (std::size_t l = 0; l + 1 < levels.size(); ++l) {
        std::vector<std::vector<std::uint32_t>> children(levels[l].size());
        tbb::parallel_for(std::size_t(0), levels[l].size(), [&](std::size_t i) {
            children[i] = nodes_met(context, levels[l][i], levels[l + 1]);
        });
        for (std::size_t i = 0; i < children.size(); ++i) {
            Sphere& sphere = tree.spheres[tree.levels[l].first + i];
            sphere.first_child = static_cast<std::uint32_t>(tree.child_list.size());
            sphere.child_count = static_cast<std::uint32_t>(children[i].size());
            for (const std::uint32_t c : children[i]) tree.child_list.push_back(tree.levels[l + 1].first + c);
        }
    }
}

void list_leaf_triangles(const SplitContext& context, const NodeLevels& levels, SphereTree& tree) {
    const SphereLevel& last = tree.levels.back();
    std::vector<std::vector<std::uint32_t>> lists(last.count);
    tbb::parallel_for(std::uint32_t(0), last.count, [&](std::uint32_t i) {
        const Ball ball = covering_ball(levels.back()[i].ball, context.gap);
        for (const std::uint32_t t : context.boxes.near_ball(ball.center, ball.radius + context.slack))
            if (!piece_outside_ball(whole_triangle(context.mesh, t), ball.center,
                                    ball.radius + context.slack))
                lists[i].push_back(t);
    });
    for (std::uint32_t i = 0; i < last.count; ++i) {
        Sphere& sphere = tree.spheres[last.first + i];
        sphere.first_triangle = static_cast<std::uint32_t>(tree.leaf_triangles.size());
        sphere.triangle_count = static_cast<std::uint32_t>(lists[i].size());
        tree.leaf_triangles.insert(tree.leaf_triangles.end(), lists[i].begin(), lists[i].end());
    }
}

}  // namespace espalier
