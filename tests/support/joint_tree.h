// SPDX-License-Identifier: GPL-3.0-or-later
// Random trees of parts with every type of joint, and configurations for them.
#pragma once

#include <cstdint>
#include <vector>

#include "espalier/asset.h"
#include "tests/support/draw.h"
#include "tests/support/part_asset.h"

namespace espalier::testing {

/// `count` parts with random rests (translations within `spread` in each coordinate), shapes of `shape_count`
/// or none, joints of every type with limits, and followers: of followers too, and of later parts. Parents
/// are drawn among the `reach` parts before, so that 1 makes a chain.
HandParts random_joint_tree(Draw& draw, std::uint32_t count, std::uint32_t shape_count, double spread = 1,
                            std::uint32_t reach = 8);

/// A value for each joint: within its limits where it has any, within `turns` full turns or `spread` units of
/// length where not; unit rotations.
std::vector<double> random_configuration(Draw& draw, const Asset& asset, double turns = 3, double spread = 1);

}  // namespace espalier::testing
