// SPDX-License-Identifier: GPL-3.0-or-later
// The volume of a union of spheres, and of its part outside the solid.
#pragma once

#include <span>

#include "builder/surface/solid.h"
#include "builder/surface/surface_pieces.h"

namespace espalier {

struct UnionVolumes {
    double total = 0.0;    ///< of the union
    double outside = 0.0;  ///< of the union's part outside the solid
};

/// Integrates over `resolution` x `resolution` columns along z, exactly along each column; the relative error
/// is about 1 / resolution^1.5.
UnionVolumes union_volumes(std::span<const Ball> balls, const Solid& solid, int resolution = 384);

/// The volume of the solid by the same columns (overlaps counted once; 0 of a shell).
double solid_volume(const Solid& solid, int resolution = 384);

}  // namespace espalier
