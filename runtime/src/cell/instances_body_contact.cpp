// SPDX-License-Identifier: MIT
// The contact queries of bodies on cell trees, with the fastest overlap test.
#include "../body/collide.h"
#include "../body/contacts.h"
#include "pair_codec.h"

namespace espalier {

template class BodyCollide<CellTreeView, Overlap::kSatLite>;
template class BodyContacts<CellTreeView, Overlap::kSatLite>;

}  // namespace espalier
