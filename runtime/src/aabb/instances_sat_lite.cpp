// SPDX-License-Identifier: MIT
// The contact queries of aabb trees with one overlap test: the 6 face axes (van den Bergen 1998, section 3).
#include "../query/collide.h"
#include "../query/contacts.h"
#include "pair_codec.h"

namespace espalier {

template class Collide<AabbTreeView, Overlap::kSatLite>;
template class Contacts<AabbTreeView, Overlap::kSatLite>;

}  // namespace espalier
