// SPDX-License-Identifier: MIT
// Full verification: what makes every later query safe on any bytes.
#pragma once

#include "espalier/asset.h"

namespace espalier {

/// Checks every part: mesh indices and coordinates, tree shape, depth, leaf ranges. Linear in the file's
/// size.
Status verify_parts(const Asset& asset);

}  // namespace espalier
