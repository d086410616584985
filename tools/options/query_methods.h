// SPDX-License-Identifier: GPL-3.0-or-later
// The runtime's queries by the names of the command line: a table of tree, mode and the function that runs
// it.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "espalier/asset.h"
#include "espalier/pose.h"
#include "espalier/query.h"

namespace espalier::tools {

enum class QueryMode { kFirst, kAll, kDistance };

/// "first", "all", "distance", in the order of the enumerators.
const std::vector<std::string>& query_mode_names();

/// What a query found out. lower <= separation <= upper.
struct QueryOutcome {
    Verdict verdict = Verdict::kUnresolved;
    double lower = 0;
    double upper = std::numeric_limits<double>::infinity();
    std::uint64_t contacts = 0;  ///< mode all
    std::uint32_t level = 0;     ///< SphereQuery::level(); 0 for the other trees
    Counters counters;
};

/// Queries one pair of parts.
using RunQuery = Status (*)(const PartView& a, const PartView& b, const Pose& pose, const Budget& budget,
                            QueryOutcome& outcome);

/// A query with one of its volume tests, or orders.
struct OverlapVariant {
    std::string name;  ///< empty: there is no choice
    RunQuery run;
};

/// How to query through one tree in one mode.
struct QueryMethod {
    std::string tree;
    QueryMode mode;
    bool (*has_tree)(const PartView& part);
    std::vector<OverlapVariant> variants;  ///< the default first
    const char* option = "overlap";        ///< what chooses between them: overlap, or a sphere tree's order
};

/// The method for a tree and a mode, or null: not offered by this version.
const QueryMethod* find_query_method(const std::string& tree, QueryMode mode);

/// Queries every pair of the parts of two assets within one budget of node tests and joins the outcomes.
Status query_parts(RunQuery run, QueryMode mode, const std::vector<PartView>& a,
                   const std::vector<PartView>& b, const Pose& pose, std::uint64_t node_tests,
                   QueryOutcome& outcome);

}  // namespace espalier::tools
