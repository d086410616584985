// SPDX-License-Identifier: GPL-3.0-or-later
// What `espalier query` writes: a line a query, and a summary as text or JSON.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/io/asset_file.h"
#include "tools/options/query_options.h"
#include "tools/report/json_report.h"

namespace espalier::tools {

/// One run of all queries and what they were asked.
struct QueryRun {
    const QueryOptions& options;
    const AssetFile& a;
    const AssetFile* b;       ///< null: A with itself
    bool as_bodies;           ///< not as two single shapes
    double ns_per_query = 0;  ///< least of the repeats
    std::vector<QueryOutcome> outcomes = {};
    std::function<std::string(std::uint32_t part)> name_a = {};  ///< names of parts, of bodies
    std::function<std::string(std::uint32_t part)> name_b = {};
};

/// The results, one line a query: 0 or 1, the number of contacts, or the distance; with a budget "verdict
/// lower upper node_tests level". Names of parts behind it, if they are asked for.
std::string query_results(const QueryRun& run);

std::string query_summary_text(const QueryRun& run);
Json query_summary_json(const QueryRun& run);

}  // namespace espalier::tools
