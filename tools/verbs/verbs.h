// SPDX-License-Identifier: GPL-3.0-or-later
// The verbs of the command, one source file each. Each takes the words after its name and returns the exit
// code; failures that end it are thrown (Failure).
#pragma once

#include "tools/options/command_line.h"

namespace espalier::tools {

int run_bake(const Arguments& words);
int run_dump(const Arguments& words);
int run_check(const Arguments& words);
int run_query(const Arguments& words);
int run_view(const Arguments& words);

}  // namespace espalier::tools
