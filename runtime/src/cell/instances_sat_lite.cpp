// SPDX-License-Identifier: MIT
// The contact queries of cell trees with one overlap test: enclosures in both frames.
#include "../query/collide.h"
#include "../query/contacts.h"
#include "pair_codec.h"
#include "walk.h"

namespace espalier {

template class Collide<CellTreeView, Overlap::kSatLite>;
template class Contacts<CellTreeView, Overlap::kSatLite>;
template class CellWalk<Overlap::kSatLite>;
template class CellWitnesses<Overlap::kSatLite>;

}  // namespace espalier
