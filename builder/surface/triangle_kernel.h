// SPDX-License-Identifier: GPL-3.0-or-later
// The inner loop of FlatTriangles. It is compiled once for every processor and once for wider vectors
// (triangle_kernel_body.h), with the same results to the last bit.
#pragma once

#include <cstddef>
#include <cstdint>

#include "builder/base/vector_floats.h"

namespace espalier {

/// A triangle by its corner `a` and an orthonormal frame: the first axis along its longest side, from `a` to
/// (length, 0, 0); the third corner at (u, v, 0), v >= 0.
struct FlatTriangle {
    float a[3];
    float axis[3][3];
    float length;
    float u, v;
    float
        per_square[2];  ///< 1 / squared length of the sides from the second corner and from `a` to the third
};

/// Writes the squared distances of kVectorLanes points, given by an array for each axis, from each of `count`
/// triangles, which `index` selects: one triangle after another.
using TriangleKernel = void (*)(const std::uint32_t* index, std::size_t count, const FlatTriangle* triangles,
                                const float* const points[3], float* squared);

/// The one that this processor runs fastest.
TriangleKernel triangle_kernel();

/// The one for every processor of this kind.
TriangleKernel plain_triangle_kernel();

}  // namespace espalier
