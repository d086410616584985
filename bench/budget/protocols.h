// SPDX-License-Identifier: GPL-3.0-or-later
// The two measurements of protocol L.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "bench/budget/models.h"

namespace espalier::bench {

using Json = nlohmann::ordered_json;

/// One model baked with each sphere method.
struct ModelPair {
    std::unique_ptr<BudgetModel> medial, octree;
};

/// Mean and 99th percentile of (upper - lower) / radius after each budget, by tree and order. An upper bound
/// that is not known yet counts as the farthest that the bounds' balls allow. Every pair of bounds is also
/// compared with the separation by the aabb tree to the end: "soundness" counts triples of tree, pose and
/// budget, and those that fail.
Json measure_widths(const ModelPair& model, const std::vector<Pose>& poses);

/// By tree, in nanoseconds: what a visit and the end of a step cost (median, 99.9th percentile, largest), and
/// for each deadline how much later than it a step ends: by the wall clock, and its own work from the last
/// question on, repeated; and how often it ended before with the answer.
Json measure_deadlines(const std::vector<ModelPair>& models, std::size_t poses_each);

}  // namespace espalier::bench
