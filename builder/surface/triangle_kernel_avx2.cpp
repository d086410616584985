// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled for processors with AVX2 (and no fused multiply-add); see triangle_kernel_body.h.
#include "builder/surface/triangle_kernel_body.h"

namespace espalier {

TriangleKernel avx2_triangle_kernel();

TriangleKernel avx2_triangle_kernel() {
    return squared_distances;
}

}  // namespace espalier
