// SPDX-License-Identifier: MIT
// Full verification: what makes every later query safe on any bytes.
#pragma once

#include "espalier/asset.h"

namespace espalier {

/// Checks every part: mesh indices and coordinates, tree shape, depth, leaf ranges. Linear in the file's
/// size.
Status verify_parts(const Asset& asset);

/// A box's sides are finite and in order.
bool proper_box(const float* lo, const float* hi);

}  // namespace espalier
