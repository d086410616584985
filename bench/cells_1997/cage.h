// SPDX-License-Identifier: GPL-3.0-or-later
// Two objects that fly about in a tight cage and bounce off its walls and each other (Zachmann 1997,
// "Timing").
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "espalier/pose.h"

namespace espalier::bench {

struct CageOptions {
    double radius = 1;         ///< of both objects about their origins
    double size = 1.75;        ///< half side of the cage in radii; the paper's is 1.5 to 2
    std::uint32_t frames = 0;  ///< of each run
    std::uint32_t runs = 1;    ///< with velocities of their own
    std::uint64_t seed = 1;
};

/// B in A's frame at every frame of every run. `collide` tells whether two objects at a pose touch: they then
/// go back to where they were and exchange their velocities.
std::vector<Pose> cage_poses(const CageOptions& options, const std::function<bool(const Pose&)>& collide);

}  // namespace espalier::bench
