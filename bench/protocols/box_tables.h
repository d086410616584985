// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of Zachmann 2002 for one model: sizes, build times and the four overlap tests.
#pragma once

#include <nlohmann/json.hpp>

#include "bench/protocols/protocols.h"

namespace espalier_bench {

/// Trees of every split and leaf size: bytes, build time on one and on all threads, and the time a query of
/// `tumbling` (Figures 5 and 7; the bytes of Table 1). A build or a pass over `limit_seconds` is left out.
nlohmann::json measure_box_tables(const ModelData& model, const PoseSet& tumbling, double limit_seconds);

}  // namespace espalier_bench
