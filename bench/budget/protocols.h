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
/// that is not known yet counts as the farthest that the bounds' balls allow.
Json measure_widths(const ModelPair& model, const std::vector<Pose>& poses);

/// How much later than its deadline a step ends, by tree and deadline, in nanoseconds: median, 99.9th
/// percentile, largest; and how often it ended before its deadline with the answer.
Json measure_deadlines(const std::vector<ModelPair>& models, std::size_t poses_each);

}  // namespace espalier::bench
