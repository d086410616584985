// SPDX-License-Identifier: MIT
// The distance query of bodies on cell trees.
#include "../body/distance.h"
#include "pair_codec.h"

namespace espalier {

template class BodyDistance<CellTreeView>;

}  // namespace espalier
