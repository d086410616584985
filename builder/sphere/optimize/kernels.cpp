// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere/optimize/kernels_body.h"

namespace espalier::kernels {

const KernelTable& plain_table() {
    return kTable;
}

#ifdef ESPALIER_KERNELS_AVX2
const KernelTable& avx2_table();

const KernelTable& table() {
    static const KernelTable& best = __builtin_cpu_supports("avx2") ? avx2_table() : kTable;
    return best;
}
#else
const KernelTable& table() {
    return kTable;
}
#endif

}  // namespace espalier::kernels
