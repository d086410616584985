// SPDX-License-Identifier: GPL-3.0-or-later
// Spheres under construction and those above them.
#pragma once

#include <vector>

#include "builder/surface/surface_pieces.h"

namespace espalier {

/// A parent and all spheres above it but the root: the surface that children answer for is that in all of
/// them.
using Ancestors = std::vector<Ball>;

/// Spheres with a common parent.
struct Siblings {
    Ancestors ancestors;
    std::vector<Ball> children;   ///< at least one
    double smallest_piece = 0.0;  ///< pieces of the surface are not split below this length to be covered
};

}  // namespace espalier
