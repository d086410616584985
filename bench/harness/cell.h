// SPDX-License-Identifier: GPL-3.0-or-later
// One cell of the tables: a model, a protocol, every library that can do it, timed in turns.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "bench/harness/worker.h"

namespace espalier_bench {

/// Limits of a run.
struct Effort {
    int repeats = 7;             ///< timed passes of each library
    double pass_seconds = 4;     ///< a pass that takes longer is "too slow"
    double library_seconds = 5;  ///< no more repeats of a library after this, beyond two
    double load_seconds = 120;   ///< a build that takes longer is "too slow"
};

/// Does the library take part in this set?
bool takes_part(const LibraryInfo& info, const PoseSet& set, const ModelData& model);

/// Measures set `index` on the workers that take part. The first worker is ours: its answers are the ones
/// that the others must agree with before their times count.
nlohmann::json measure_cell(const ModelData& model, const std::vector<PoseSet>& sets, std::size_t index,
                            std::vector<std::unique_ptr<Worker>>& workers, const Effort& effort);

}  // namespace espalier_bench
