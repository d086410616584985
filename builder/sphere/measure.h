// SPDX-License-Identifier: GPL-3.0-or-later
// What is measured of the spheres of a level: how far each protrudes, and the volume of all.
#pragma once

#include <vector>

#include "builder/base/progress.h"
#include "builder/sphere/coverage/sphere_error.h"
#include "builder/sphere/sphere_tree.h"
#include "builder/sphere/split/node_splitter.h"

namespace espalier {

/// Bounds the errors of a level's nodes that are not known yet (negative); one step of progress a node. Where
/// `progress` is cancelled, some stay unknown. `root_radius` is the length below a ten-millionth of which
/// distances are noise of the coordinates.
void bound_errors(const ErrorContext& context, double root_radius, std::vector<TreeNode>& level,
                  Progress& progress);

/// The largest error of a level. Precondition: errors are known.
double largest_error(const std::vector<TreeNode>& level);

/// Error statistics and volumes of each level, and the solid's volume, into `tree`. Precondition: `levels`
/// are the nodes that its spheres were made of, and their errors are known.
void measure_levels(const Solid& solid, const std::vector<std::vector<TreeNode>>& levels, SphereTree& tree,
                    Progress& progress);

}  // namespace espalier
