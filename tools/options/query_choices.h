// SPDX-License-Identifier: GPL-3.0-or-later
// The options of `espalier query` that choose between variants of a query: volume tests, orders.
#pragma once

#include <string>
#include <vector>

namespace espalier::tools {

struct QueryChoice {
    std::string option;  ///< "overlap"
    std::string help;    ///< which trees have which variants
};

/// Every one that a hierarchy names.
std::vector<QueryChoice> query_choices();

}  // namespace espalier::tools
