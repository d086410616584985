// SPDX-License-Identifier: MIT
// The contact queries of cell trees with one overlap test: all separating axes.
#include "../query/collide.h"
#include "../query/contacts.h"
#include "pair_codec.h"
#include "walk.h"

namespace espalier {

template class Collide<CellTreeView, Overlap::kSat>;
template class Contacts<CellTreeView, Overlap::kSat>;
template class CellWalk<Overlap::kSat>;
template class CellWitnesses<Overlap::kSat>;

}  // namespace espalier
