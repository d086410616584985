// SPDX-License-Identifier: GPL-3.0-or-later
// What `espalier query` writes: a line a pose, and a summary as text or JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "builder/hierarchy/hierarchy.h"
#include "tools/io/asset_file.h"
#include "tools/report/json_report.h"

namespace espalier::tools {

/// One run of all poses and what it was asked.
struct QueryRun {
    const AssetFile& a;
    const AssetFile& b;
    const Hierarchy& hierarchy;
    const QueryMethod& method;
    const QueryVariant& variant;
    std::optional<std::uint64_t> budget;  ///< node tests; empty: unlimited
    std::uint64_t repeats = 1;
    double ns_per_query = 0;  ///< least of the repeats
    std::vector<QueryOutcome> outcomes;
};

/// The results, one line a pose: 0 or 1, the number of contacts, or the distance; with a budget "verdict
/// lower upper node_tests level".
std::string query_results(const QueryRun& run);

std::string query_summary_text(const QueryRun& run);
Json query_summary_json(const QueryRun& run);

}  // namespace espalier::tools
