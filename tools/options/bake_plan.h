// SPDX-License-Identifier: GPL-3.0-or-later
// Which file is baked to which.
#pragma once

#include <filesystem>
#include <vector>

#include "tools/options/command_line.h"

namespace espalier::tools {

struct BakeTask {
    std::filesystem::path input;
    std::filesystem::path output;
};

/// Pairs every input with its output: -o, or a name with .espl in --out-dir or beside the input. Throws
/// Failure (kUsage) when two inputs would have one output or an output would replace an input. Touches no
/// file.
std::vector<BakeTask> plan_bake(const Parsed& parsed);

}  // namespace espalier::tools
