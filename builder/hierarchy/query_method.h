// SPDX-License-Identifier: GPL-3.0-or-later
// How a hierarchy answers on the command line: a function for each mode and each variant of it.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "espalier/asset.h"
#include "espalier/pose.h"
#include "espalier/query.h"

namespace espalier {

enum class QueryMode : std::uint8_t { kFirst, kAll, kDistance };

constexpr std::array<std::string_view, 3> enum_names(QueryMode) {
    return {"first", "all", "distance"};
}

/// What a query found out. lower <= separation <= upper.
struct QueryOutcome {
    Verdict verdict = Verdict::kUnresolved;                  ///< what is known
    double lower = 0;                                        ///< the separation is at least this
    double upper = std::numeric_limits<double>::infinity();  ///< the separation is at most this
    std::uint64_t contacts = 0;                              ///< mode all
    std::uint32_t level = 0;  ///< down to which every pair was refined; 0 where a hierarchy has no such thing
    Counters counters;        ///< work done
};

/// Queries one pair of parts, both with the hierarchy.
using RunQuery = Status (*)(const ShapeView& a, const ShapeView& b, const Pose& pose, const Budget& budget,
                            QueryOutcome& outcome);

/// A query with one of its volume tests, or orders.
struct QueryVariant {
    const char* name;      ///< empty: there is no choice
    const char* sentence;  ///< for the help; may be empty
    RunQuery run;          ///< runs it once
};

/// One mode of a hierarchy.
struct QueryMethod {
    QueryMode mode;                          ///< what it answers
    const char* option;                      ///< what chooses between the variants: "overlap", "order"
    std::span<const QueryVariant> variants;  ///< the default first
};

/// Queries every pair of the parts of two assets within one budget of node tests and joins the outcomes.
Status query_parts(RunQuery run, QueryMode mode, const std::vector<ShapeView>& a,
                   const std::vector<ShapeView>& b, const Pose& pose, std::uint64_t node_tests,
                   QueryOutcome& outcome);

}  // namespace espalier
