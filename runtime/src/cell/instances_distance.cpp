// SPDX-License-Identifier: MIT
// The distance query of cell trees.
#include "../query/distance.h"
#include "pair_codec.h"

namespace espalier {

template class Distance<CellTreeView>;

}  // namespace espalier
