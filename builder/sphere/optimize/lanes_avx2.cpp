// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled for processors with AVX2 (and no fused multiply-add); see lanes_body.h.
#include "builder/sphere/optimize/lanes_body.h"

namespace espalier::lanes {

const Loops& avx2_loops();

const Loops& avx2_loops() {
    return kLoops;
}

}  // namespace espalier::lanes
