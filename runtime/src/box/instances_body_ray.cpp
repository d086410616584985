// SPDX-License-Identifier: MIT
// The ray cast of bodies on box trees.
#include "../body/ray_cast.h"
#include "search_codec.h"

namespace espalier {

template class BodyRayCast<BoxTreeView>;

}  // namespace espalier
