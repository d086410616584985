// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere/measure.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cassert>

#include "builder/sphere/union_volume.h"

namespace espalier {
namespace {

/// Relative gap between the bounds of an error at which the search for it ends. Stored bounds promise 5 %; a
/// hundredth takes no longer to find. Smaller: time; larger than 0.04: the promise breaks.
constexpr double kTightness = 0.01;
/// Stored bounds are larger than what was reached by this factor at least, so that a proof from the file need
/// not find the bound to the last bit. Nearer to 1: slow proofs.
constexpr double kProofMargin = 1.01;
/// Below this share of the root's radius, distances are noise of float32 coordinates.
constexpr double kNoise = 1e-7;

/// From the errors as they are stored, so that a reader can compute the same again.
void sum_up_errors(const SphereTree& tree, SphereLevel& level) {
    double sum = 0.0;
    float most = 0.0F;
    for (std::uint32_t i = level.first; i < level.first + level.count; ++i) {
        sum += double(tree.spheres[i].error);
        most = std::max(most, tree.spheres[i].error);
    }
    level.error_mean = sum / level.count;
    level.error_max = double(most);
}

}  // namespace

void bound_errors(const ErrorContext& context, double root_radius, std::vector<TreeNode>& level,
                  Progress& progress) {
    const double floor = kNoise * root_radius;
    tbb::parallel_for(std::size_t(0), level.size(), [&](std::size_t i) {
        TreeNode& node = level[i];
        if (node.error < 0.0 && !progress.cancelled()) {
            const ErrorBounds bounds = sphere_error(context, node.ball, kTightness, floor);
            node.error = std::max(bounds.upper, kProofMargin * bounds.lower) * (1.0 + 1e-9) + floor;
        }
        progress.advance();
    });
}

double largest_error(const std::vector<TreeNode>& level) {
    double most = 0.0;
    for (const TreeNode& node : level) most = std::max(most, node.error);
    return most;
}

void measure_levels(const Solid& solid, const std::vector<std::vector<TreeNode>>& levels, SphereTree& tree,
                    Progress& progress) {
    assert(levels.size() == tree.levels.size());
    progress.begin_stage("volumes", tree.levels.size());
    tree.solid_volume = solid_volume(solid);
    for (std::size_t l = 0; l < tree.levels.size(); ++l) {
        SphereLevel& level = tree.levels[l];
        std::vector<Ball> balls;
        for (const TreeNode& node : levels[l]) balls.push_back(node.ball);
        sum_up_errors(tree, level);
        const UnionVolumes volumes = union_volumes(balls, solid);
        level.union_volume = volumes.total;
        level.outside_volume = volumes.outside;
        level.volume_ratio = tree.solid_volume > 0.0 ? volumes.outside / tree.solid_volume : 0.0;
        progress.advance();
    }
}

}  // namespace espalier
