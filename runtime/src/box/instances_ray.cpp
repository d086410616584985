// SPDX-License-Identifier: MIT
// The ray cast of box trees.
#include "../query/ray_cast.h"
#include "search_codec.h"

namespace espalier {

template class RayCast<BoxTreeView>;

}  // namespace espalier
