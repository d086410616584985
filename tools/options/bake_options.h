// SPDX-License-Identifier: GPL-3.0-or-later
// The options of `espalier bake` that decide the bytes of an asset, how it is baked and what may be read.
#pragma once

#include "builder/bake.h"
#include "tools/options/command_line.h"

namespace espalier::tools {

/// Adds them to the verb's syntax.
void add_bake_options(CommandLine& line);

/// What they say. Throws Failure: kUsage when one makes no sense or concerns a hierarchy that is not baked,
/// kUnsupported for a hierarchy that this version cannot bake.
BakeOptions bake_options(const Parsed& parsed);

}  // namespace espalier::tools
