// SPDX-License-Identifier: GPL-3.0-or-later
// What every source of a mesh has in common once it is read.
#pragma once

#include "builder/import/import.h"

namespace espalier::import_formats {

/// Checks that there are polygons and that their corners are points, scales, and names the unit. Fails with
/// kInvalidInput.
Result<PolygonSoup> finish_import(PolygonSoup soup, const ImportOptions& options);

}  // namespace espalier::import_formats
