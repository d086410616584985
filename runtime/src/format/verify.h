// SPDX-License-Identifier: MIT
// Full verification: what makes every later query safe on any bytes.
#pragma once

#include "espalier/asset.h"

namespace espalier {

/// Checks every shape: mesh indices and coordinates, tree shape, depth, leaf ranges; then the parts. Linear
/// in the file's size.
Status verify_asset(const Asset& asset);

/// Checks parts, names and pairs: all that kinematics and queries of bodies trust. verify_parts.cpp.
Status verify_parts(const Asset& asset);

}  // namespace espalier
