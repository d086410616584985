// SPDX-License-Identifier: GPL-3.0-or-later
// Which files are baked to which.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tools/options/command_line.h"

namespace espalier::tools {

struct BakeTask {
    std::vector<std::filesystem::path> inputs;  ///< one, or with -o all of them
    std::filesystem::path output;

    /// The inputs as reports call them.
    std::string name() const;
};

/// Pairs every input with its output, a name with .espl in --out-dir or beside the input; or all with -o.
/// Throws Failure (kUsage) when two inputs would have one output or an output would replace an input. Touches
/// no file.
std::vector<BakeTask> plan_bake(const Parsed& parsed);

}  // namespace espalier::tools
