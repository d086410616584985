// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/surface/triangle_kernel_body.h"

namespace espalier {

TriangleKernel plain_triangle_kernel() {
    return squared_distances;
}

#ifdef ESPALIER_KERNEL_AVX2
TriangleKernel avx2_triangle_kernel();

TriangleKernel triangle_kernel() {
    static const TriangleKernel kBest =
        __builtin_cpu_supports("avx2") ? avx2_triangle_kernel() : plain_triangle_kernel();
    return kBest;
}
#else
TriangleKernel triangle_kernel() {
    return plain_triangle_kernel();
}
#endif

}  // namespace espalier
