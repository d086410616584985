// SPDX-License-Identifier: GPL-3.0-or-later
// All spheres of a set move together, down the gradient of what their union costs. One sphere alone is caught
// where three meet: it cannot give way before a neighbour has come, and the neighbour gains nothing by
// coming.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "builder/base/progress.h"
#include "builder/sphere/optimize/cover_counts.h"
#include "builder/sphere/optimize/search_sphere.h"

namespace espalier {

/// What a set of spheres is about; borrowed.
struct DescentScene {
    const CoverCounts& patches;
    const CoverCounts& samples;
    /// By parent: 1 for the patches that its children may cover; empty: all.
    std::span<const std::vector<std::uint8_t>> allowed;
    /// By sample: 1 / the width of the layer at a sphere's surface in which it is covered in part.
    std::span<const float> per_blur_width;
    float widest_blur = 0.0F;  ///< the largest of these widths
};

struct DescentOptions {
    int steps = 200;
    float step = 0.0F;          ///< of a centre or radius at first, or less for small spheres
    float first_margin = 0.0F;  ///< by which a patch is to be covered at first: one that is not draws spheres
    float last_margin = 0.0F;   ///< and in the end
    float penalty_weight = 1.0F;  ///< the gradient of what it costs to miss one margin
};

/// Moves the spheres that are not fixed. Patches may be left uncovered by about the last margin.
/// Preconditions: the scene knows every parent and has a blur width for each sample.
void gradient_descent(const DescentScene& scene, std::vector<CandidateSphere>& candidates,
                      const DescentOptions& options, const Progress& progress);

}  // namespace espalier
