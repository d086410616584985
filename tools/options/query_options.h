// SPDX-License-Identifier: GPL-3.0-or-later
// What `espalier query` is asked.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "builder/hierarchy/hierarchy.h"
#include "tools/options/command_line.h"

namespace espalier::tools {

/// One side of a query, as named on the command line.
struct QuerySideOptions {
    std::string file;
    std::optional<std::string> joints = {};  ///< list of configurations, or "-"
    std::optional<std::string> part = {};    ///< name of the only part
};

struct QueryOptions {
    const Hierarchy& hierarchy;
    const QueryMethod& method;
    const QueryVariant& variant;
    QuerySideOptions a;
    std::optional<QuerySideOptions> b = {};  ///< empty: A with itself
    std::optional<std::string> poses = {};   ///< list of poses, or "-"; empty: B's frame is A's
    std::optional<std::uint64_t> budget = {};
    double limit = std::numeric_limits<double>::infinity();  ///< mode within
    std::uint64_t repeats = 1;
    bool name_parts = false;
    bool strict = false;

    /// Whether an option speaks of parts or joints, so that even single shapes are asked as bodies.
    bool asks_bodies() const { return !b || name_parts || a.joints || a.part || b->joints || b->part; }
};

CommandLine query_syntax();

/// Throws Failure (kUsage; kUnsupported for a mode that the hierarchy has not).
QueryOptions query_options(const Parsed& parsed);

}  // namespace espalier::tools
