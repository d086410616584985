// SPDX-License-Identifier: GPL-3.0-or-later
// The two forms of what `espalier dump` prints.
#pragma once

#include <string>

#include "builder/asset/describe.h"
#include "tools/report/json_report.h"

namespace espalier::tools {

std::string dump_text(const std::string& file, const AssetDescription& asset);
Json dump_json(const std::string& file, const AssetDescription& asset);

}  // namespace espalier::tools
