// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled for processors with AVX2 (and no fused multiply-add); see kernels_body.h.
#include "builder/sphere/optimize/kernels_body.h"

namespace espalier::kernels {

const KernelTable& avx2_table();

const KernelTable& avx2_table() {
    return kTable;
}

}  // namespace espalier::kernels
