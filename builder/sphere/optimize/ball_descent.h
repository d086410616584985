// SPDX-License-Identifier: GPL-3.0-or-later
// All balls of a set move together, down the slope of what their union costs. One ball alone is caught where
// three meet: it cannot give way before a neighbour has come, and the neighbour gains nothing by coming.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "builder/base/progress.h"
#include "builder/sphere/optimize/ball_cover.h"
#include "builder/sphere/optimize/held_points.h"

namespace espalier {

/// What a set of balls is about; borrowed.
struct DescentScene {
    const HeldPoints& patches;
    const HeldPoints& samples;
    /// By parent: 1 for the patches that its children may hold; empty: all.
    std::span<const std::vector<std::uint8_t>> allowed;
    /// By sample: 1 / the width of the layer at a ball's surface in which it is held in part.
    std::span<const float> per_softness;
    float softest = 0.0F;  ///< the largest of these widths
};

struct DescentOptions {
    int steps = 200;
    float step = 0.0F;       ///< of a centre or radius at first, or less for small balls
    float first_gap = 0.0F;  ///< what is about so far from being held pulls at the balls around it; at first,
    float last_gap = 0.0F;   ///< and in the end
    float stiffness = 1.0F;  ///< of that pull: the slope of the cost at one gap
};

/// Moves the balls that are not fixed. Patches may be left that nobody holds, by about the last gap.
void descend(const DescentScene& scene, std::vector<Member>& members, const DescentOptions& options,
             const Progress& progress);

}  // namespace espalier
