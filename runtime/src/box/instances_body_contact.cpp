// SPDX-License-Identifier: MIT
// The contact queries of bodies on box trees, with the fastest overlap test.
#include "../body/collide.h"
#include "../body/contacts.h"
#include "pair_codec.h"

namespace espalier {

template class BodyCollide<BoxTreeView, Overlap::kSatLite>;
template class BodyContacts<BoxTreeView, Overlap::kSatLite>;

}  // namespace espalier
