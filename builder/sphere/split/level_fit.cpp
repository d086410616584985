// SPDX-License-Identifier: GPL-3.0-or-later
// From the level above to balls, to balls that cover, to nodes.
#include "builder/sphere/split/level_fit.h"

#include <algorithm>
#include <cmath>

#include "builder/sphere/coverage/cover_level.h"
#include "builder/sphere/coverage/region.h"
#include "builder/sphere/optimize/sphere_fit.h"

namespace espalier {
namespace {

/// Below this length, in the usual distance of balls' centres, pieces are not split to be covered.
constexpr double kSmallestPiece = 1.0 / 256.0;
/// Random changes for each ball and unit of effort, a few are made without any; and the share of them where
/// there are few balls, begun several times, or many, which take longest.
constexpr double kProposals = 180.0;
constexpr double kLeastProposals = 15.0;
constexpr double kFewProposals = 0.05;
constexpr double kManyProposals = 0.07;
/// Sets that are begun with where there are few balls, for each unit of effort.
constexpr std::uint32_t kStarts = 15;

FitOptions options_for(const SplitContext& context, const std::vector<TreeNode>& above, std::size_t count) {
    const SphereTreeOptions& tree = context.options;
    FitOptions options;
    options.count = count;
    options.most_children =
        above.size() == 1 ? static_cast<std::uint32_t>(count) : kMostChildren * tree.branch;
    const double share = count <= 16 ? kFewProposals : count <= 128 ? 1.0 : kManyProposals;
    options.proposals = kLeastProposals + share * kProposals * double(tree.effort);
    options.cover = tree.coverage != CoveragePolicy::kSampled;
    options.smallest_piece = kSmallestPiece * spacing_of(context, double(count));
    options.starts = 1 + kStarts * tree.effort;
    for (const TreeNode& node : above) {
        options.max_protrusion = std::max(options.max_protrusion, node.error);
    }
    return options;
}

std::vector<Siblings> sibling_groups_of(const SplitContext& context, const std::vector<TreeNode>& above,
                                        const std::vector<Ancestors>& parents,
                                        const std::vector<CandidateSphere>& candidates,
                                        const SearchFrame& frame, std::size_t count) {
    std::vector<Siblings> groups(above.size());
    for (std::size_t i = 0; i < above.size(); ++i) {
        groups[i].ancestors = parents[i];
        groups[i].smallest_piece = kSmallestPiece * spacing_of(context, double(count));
    }
    for (const CandidateSphere& candidate : candidates) {
        // Those that are fixed are their parents' only children and as they are, to the last bit.
        groups[candidate.parent].children.push_back(candidate.fixed ? parents[candidate.parent].front()
                                                                    : frame.to_ball(candidate.sphere));
    }
    for (std::size_t i = 0; i < above.size(); ++i) {
        if (groups[i].children.empty()) {
            groups[i].children = {idle_child(context, above[i].ball)};
        }
    }
    return groups;
}

/// Spheres above that had to grow for their children to cover.
void widen(const SplitContext& context, const std::vector<Siblings>& groups, std::vector<TreeNode>& above) {
    for (std::size_t i = 0; i < above.size(); ++i) {
        if (!groups[i].ancestors.empty() && groups[i].ancestors.front().radius > above[i].ball.radius) {
            above[i].ball = round_outward(groups[i].ancestors.front(), context.slack);
            above[i].ancestors.front() = above[i].ball;
            above[i].error = -1.0;
        }
    }
}

}  // namespace

ChildLists fit_level(const SplitContext& context, std::vector<TreeNode>& above,
                     const std::vector<std::uint8_t>& small_enough, std::size_t count, Progress& progress) {
    const FitSurface surface{context.mesh, context.inside, context.query, context.boxes,
                             context.area, context.extent, context.slack, SearchFrame::of(context.mesh)};
    std::vector<Ancestors> parents;
    std::vector<CandidateSphere> start;
    for (std::uint32_t i = 0; i < above.size(); ++i) {
        parents.push_back(above[i].ancestors);
        start.push_back({surface.frame.to_search(above[i].ball), i, small_enough[i] != 0});
    }
    const std::vector<CandidateSphere> candidates =
        fit_spheres(surface, parents, start, options_for(context, above, count), progress);
    std::vector<Siblings> groups =
        sibling_groups_of(context, above, parents, candidates, surface.frame, count);
    if (context.options.coverage != CoveragePolicy::kSampled) {
        cover_level(context.mesh, context.boxes, groups, context.slack);
        widen(context, groups, above);
    }
    ChildLists nodes(groups.size());
    for (std::size_t i = 0; i < groups.size(); ++i) {
        for (const Ball& ball : groups[i].children) {
            TreeNode node;
            node.ball = round_outward(ball, context.slack);
            node.ancestors = {node.ball};
            node.ancestors.insert(node.ancestors.end(), above[i].ancestors.begin(), above[i].ancestors.end());
            nodes[i].push_back(std::move(node));
        }
    }
    return nodes;
}

}  // namespace espalier
