// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere/optimize/lanes_body.h"

namespace espalier::lanes {

const Loops& plain_loops() {
    return kLoops;
}

#ifdef ESPALIER_LANES_AVX2
const Loops& avx2_loops();

const Loops& loops() {
    static const Loops& best = __builtin_cpu_supports("avx2") ? avx2_loops() : kLoops;
    return best;
}
#else
const Loops& loops() {
    return kLoops;
}
#endif

}  // namespace espalier::lanes
