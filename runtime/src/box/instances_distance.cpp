// SPDX-License-Identifier: MIT
// The distance query of box trees.
#include "../query/distance.h"
#include "pair_codec.h"

namespace espalier {

template class Distance<BoxTreeView>;

}  // namespace espalier
