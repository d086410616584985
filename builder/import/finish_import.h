// SPDX-License-Identifier: GPL-3.0-or-later
// What every source of a mesh has in common once it is read.
#pragma once

#include "builder/import/import.h"

namespace espalier::import_formats {

/// Checks that the nodes are a forest, that there are polygons and that their corners are points; scales, and
/// names the unit. Fails with kInvalidInput, kUnsupported.
Result<Scene> finish_import(Scene scene, const ImportOptions& options);

}  // namespace espalier::import_formats
