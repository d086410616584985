// SPDX-License-Identifier: MIT
// The distance query of aabb trees.
#include "../query/distance.h"
#include "pair_codec.h"

namespace espalier {

template class Distance<AabbTreeView>;

}  // namespace espalier
