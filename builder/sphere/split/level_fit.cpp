// SPDX-License-Identifier: GPL-3.0-or-later
// From the level above to candidate spheres, to balls that cover, to nodes.
#include "builder/sphere/split/level_fit.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "builder/sphere/coverage/cover_level.h"
#include "builder/sphere/coverage/gap.h"
#include "builder/sphere/optimize/sphere_fit.h"
#include "builder/sphere/optimize/tuning.h"

namespace espalier {
namespace {

FitOptions options_for(const SplitContext& context, const std::vector<TreeNode>& above,
                       const LevelCount& level) {
    const SphereTreeOptions& tree = context.options;
    const std::size_t count = level.most;
    FitOptions options;
    options.count = count;
    options.tried = level.tried;
    options.most_children =
        above.size() == 1 ? static_cast<std::uint32_t>(count) : tuning::kMostChildren * tree.branch;
    const tuning::Effort& effort = tuning::kEfforts[static_cast<std::size_t>(tree.effort)];
    options.proposals = count <= 16    ? effort.few_proposals
                        : count <= 128 ? effort.proposals
                                       : effort.many_proposals;
    options.starts = effort.starts;
    options.growth = effort.growth;
    options.rounds = effort.rounds;
    options.detail = effort.detail;
    options.steps = effort.steps;
    options.cover = tree.coverage != CoveragePolicy::kSampled;
    options.smallest_piece = tuning::kSmallestPiece * spacing_of(context, double(count));
    for (const TreeNode& node : above) options.max_protrusion = std::max(options.max_protrusion, node.error);
    return options;
}

std::vector<Siblings> sibling_groups_of(const SplitContext& context, const std::vector<TreeNode>& above,
                                        const std::vector<Ancestors>& parents,
                                        const std::vector<CandidateSphere>& candidates,
                                        const SearchFrame& frame, std::size_t count) {
    std::vector<Siblings> groups(above.size());
    for (std::size_t i = 0; i < above.size(); ++i) {
        groups[i].ancestors = parents[i];
        groups[i].smallest_piece = tuning::kSmallestPiece * spacing_of(context, double(count));
    }
    for (const CandidateSphere& candidate : candidates) {
        // Those that are fixed are their parents' only children and as they are, to the last bit.
        groups[candidate.parent].children.push_back(candidate.fixed ? parents[candidate.parent].front()
                                                                    : frame.to_ball(candidate.sphere));
    }
    for (std::size_t i = 0; i < above.size(); ++i)
        if (groups[i].children.empty()) groups[i].children = {idle_child(context, above[i].ball)};
    return groups;
}

}  // namespace

ChildLists fit_level(const SplitContext& context, std::vector<TreeNode>& above,
                     const std::vector<std::uint8_t>& small_enough, const LevelCount& count,
                     Progress& progress) {
    assert(count.most >= above.size() && small_enough.size() == above.size());
    const FitSurface surface{context.mesh,  context.solid, context.query,
                             context.boxes, context.area,  context.extent,
                             context.slack, context.gap,   SearchFrame::of(context.mesh)};
    std::vector<Ancestors> parents;
    std::vector<CandidateSphere> start;
    for (std::uint32_t i = 0; i < above.size(); ++i) {
        parents.push_back(above[i].ancestors);
        start.push_back(
            {surface.frame.to_search(covering_ball(above[i].ball, context.gap)), i, small_enough[i] != 0});
    }
    const std::vector<CandidateSphere> candidates =
        fit_spheres(surface, parents, start, options_for(context, above, count), progress);
    std::vector<Siblings> groups =
        sibling_groups_of(context, above, parents, candidates, surface.frame, count.most);
    if (context.options.coverage != CoveragePolicy::kSampled) {
        cover_level(context.mesh, context.boxes, groups, context.slack);
        widen(context, groups, above);
    }
    ChildLists nodes(groups.size());
    for (std::size_t i = 0; i < groups.size(); ++i)
        for (const Ball& ball : groups[i].children)
            nodes[i].push_back(node_to_cover(context, ball, above[i].ancestors));
    return nodes;
}

}  // namespace espalier
