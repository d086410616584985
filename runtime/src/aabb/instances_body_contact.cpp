// SPDX-License-Identifier: MIT
// The contact queries of bodies on aabb trees, with the fastest overlap test.
#include "../body/collide.h"
#include "../body/contacts.h"
#include "pair_codec.h"

namespace espalier {

template class BodyCollide<AabbTreeView, Overlap::kSatLite>;
template class BodyContacts<AabbTreeView, Overlap::kSatLite>;

}  // namespace espalier
