// SPDX-License-Identifier: MIT
// The contact queries of cell trees with one overlap test: enclosures along A's axes.
#include "../query/collide.h"
#include "../query/contacts.h"
#include "pair_codec.h"
#include "walk.h"

namespace espalier {

template class Collide<CellTreeView, Overlap::kAxis>;
template class Contacts<CellTreeView, Overlap::kAxis>;
template class CellWalk<Overlap::kAxis>;
template class CellWitnesses<Overlap::kAxis>;

}  // namespace espalier
