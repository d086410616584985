// SPDX-License-Identifier: GPL-3.0-or-later
// From the level above to balls, to balls that cover, to nodes.
#include "builder/sphere/split/level_fit.h"

#include <algorithm>
#include <cmath>

#include "builder/sphere/coverage/cover_level.h"
#include "builder/sphere/coverage/region.h"
#include "builder/sphere/optimize/ball_fit.h"

namespace espalier {
namespace {

/// Below this length, in the usual distance of balls' centres, pieces are not split to be covered.
constexpr double kSmallestPiece = 1.0 / 256.0;
/// Random changes for each ball and unit of effort, a few are made without any; and the share of them where
/// there are few balls, begun several times, or many, which take longest.
constexpr double kTries = 180.0;
constexpr double kLeastTries = 15.0;
constexpr double kFewTries = 0.05;
constexpr double kManyTries = 0.07;
/// Sets that are begun with where there are few balls, for each unit of effort.
constexpr std::uint32_t kStarts = 15;

FitOptions options_for(const SplitContext& context, const std::vector<TreeNode>& above, std::size_t count) {
    const SphereTreeOptions& tree = context.options;
    FitOptions options;
    options.count = count;
    options.most_children =
        above.size() == 1 ? static_cast<std::uint32_t>(count) : kMostChildren * tree.branch;
    const double share = count <= 16 ? kFewTries : count <= 128 ? 1.0 : kManyTries;
    options.tries = kLeastTries + share * kTries * double(tree.effort);
    options.cover = tree.coverage != CoveragePolicy::kSampled;
    options.smallest_piece = kSmallestPiece * spacing_of(context, double(count));
    options.starts = 1 + kStarts * tree.effort;
    for (const TreeNode& node : above) {
        options.reach = std::max(options.reach, node.error);
    }
    return options;
}

std::vector<Family> families_of(const SplitContext& context, const std::vector<TreeNode>& above,
                                const std::vector<Chain>& parents, const std::vector<Seat>& seats,
                                std::size_t count) {
    std::vector<Family> families(above.size());
    for (std::size_t i = 0; i < above.size(); ++i) {
        families[i].chain = parents[i];
        families[i].smallest_piece = kSmallestPiece * spacing_of(context, double(count));
    }
    for (const Seat& seat : seats) {
        families[seat.parent].children.push_back(seat.ball);
    }
    for (std::size_t i = 0; i < above.size(); ++i) {
        if (families[i].children.empty()) {
            families[i].children = {idle_child(context, above[i].ball)};
        }
    }
    return families;
}

/// Spheres above that had to grow for their children to cover.
void widen(const SplitContext& context, const std::vector<Family>& families, std::vector<TreeNode>& above) {
    for (std::size_t i = 0; i < above.size(); ++i) {
        if (!families[i].chain.empty() && families[i].chain.front().radius > above[i].ball.radius) {
            above[i].ball = round_outward(families[i].chain.front(), context.slack);
            above[i].chain.front() = above[i].ball;
            above[i].error = -1.0;
        }
    }
}

}  // namespace

Families fit_level(const SplitContext& context, std::vector<TreeNode>& above,
                   const std::vector<std::uint8_t>& small_enough, std::size_t count, Progress& progress) {
    std::vector<Chain> parents;
    std::vector<Seat> start;
    for (std::uint32_t i = 0; i < above.size(); ++i) {
        parents.push_back(above[i].chain);
        start.push_back({above[i].ball, i, small_enough[i] != 0});
    }
    const FitSurface surface{context.mesh, context.inside, context.query, context.boxes,
                             context.area, context.extent, context.slack};
    const std::vector<Seat> seats =
        fit_balls(surface, parents, start, options_for(context, above, count), progress);
    std::vector<Family> families = families_of(context, above, parents, seats, count);
    if (context.options.coverage != CoveragePolicy::kSampled) {
        cover_level(context.mesh, context.boxes, families, context.slack);
        widen(context, families, above);
    }
    Families nodes(families.size());
    for (std::size_t i = 0; i < families.size(); ++i) {
        for (const Ball& ball : families[i].children) {
            TreeNode node;
            node.ball = round_outward(ball, context.slack);
            node.chain = {node.ball};
            node.chain.insert(node.chain.end(), above[i].chain.begin(), above[i].chain.end());
            nodes[i].push_back(std::move(node));
        }
    }
    return nodes;
}

}  // namespace espalier
