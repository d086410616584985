// SPDX-License-Identifier: GPL-3.0-or-later
// Ugly files and their manifest on disk.
#pragma once

#include <filesystem>

#include "builder/base/result.h"

namespace espalier::corpus {

/// Writes every ugly file into the existing folder `folder`, and manifest.json beside them:
///
///     {"version": 1, "files": [{"file": "open.off", "kind": "file", "what": "a ball with a hole of 20
///     triangles",
///                               "exit_code": 0, "report": "open|not closed|boundary", "triangles": 300},
///                               ...]}
///
/// `kind`: file, directory or absent (bake is called with that name all the same). Where exit_code is not 0
/// there is `stderr` instead of `report` and `triangles`; `triangles` is also left out where several numbers
/// are right. Both are regular expressions to be searched ignoring case; empty ones match everything. Fails
/// with kInputOutput.
Result<Success> write_ugly_files(const std::filesystem::path& folder);

}  // namespace espalier::corpus
