// SPDX-License-Identifier: GPL-3.0-or-later
// The options of `espalier bake` that decide the bytes of an asset, how it is baked and what may be read.
#pragma once

#include "builder/bake.h"
#include "tools/options/command_line.h"

namespace espalier::tools {

/// Adds them to the verb's syntax; those of each hierarchy in a group of their own, so they come last.
void add_bake_options(CommandLine& line);

/// What they say. Throws Failure (kUsage) when one makes no sense or concerns a hierarchy that is not baked.
BakeOptions bake_options(const Parsed& parsed);

}  // namespace espalier::tools
