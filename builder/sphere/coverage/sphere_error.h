// SPDX-License-Identifier: GPL-3.0-or-later
// How far a sphere protrudes from the solid: a proved upper bound (Hubbard 1996, section 6.2).
#pragma once

#include "builder/surface/solid.h"
#include "builder/surface/surface_pieces.h"
#include "builder/surface/surface_query.h"
#include "builder/surface/triangle_mesh.h"

namespace espalier {

/// What the bound is measured against; all borrowed.
struct ErrorContext {
    const SurfaceQuery& query;  ///< of the solid's boundary
    const Solid& solid;
};

/// Bounds of the largest distance from a point of the sphere (its surface) to the solid.
struct ErrorBounds {
    double lower = 0.0;  ///< reached by a point of the sphere
    double upper = 0.0;  ///< exceeded by none
};

/// Branch and bound over the sphere, from the 20 faces of an icosahedron down (or, where that takes long and
/// the centre is inside, from the shadows of the mesh's triangles), until upper <= (1 + tightness) * lower or
/// the gap is below `floor`. Points inside the solid are at distance 0. Stops after `max_steps` bisections
/// with a bound that still holds, if looser.
ErrorBounds sphere_error(const ErrorContext& context, const Ball& ball, double tightness, double floor,
                         int max_steps = 20000);

/// True only if no point of the sphere is farther than `error` from the solid: the same search, ended as soon
/// as the answer is known.
bool sphere_error_at_most(const ErrorContext& context, const Ball& ball, double error,
                          int max_steps = 100000);

}  // namespace espalier
