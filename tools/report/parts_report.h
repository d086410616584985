// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of an asset in what `espalier dump` prints: a tree of placements and joints, and pairs.
#pragma once

#include <string>

#include "builder/asset/describe.h"
#include "tools/report/json_report.h"

namespace espalier::tools {

/// The tree and the counts of pairs; long lists are cut. Empty for a file without parts of its own.
std::string parts_text(const AssetDescription& asset);

/// All parts, in their order.
Json parts_json(const AssetDescription& asset);
/// Counts of pairs by reason, and all of them.
Json pairs_json(const PairDescription& pairs);

}  // namespace espalier::tools
