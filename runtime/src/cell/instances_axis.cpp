// SPDX-License-Identifier: MIT
// The contact queries of cell trees with one overlap test: enclosures along A's axes.
#include "contact_queries.h"

namespace espalier {

template class CellWalk<CellOverlap::kAxis>;
template class CellCollide<CellOverlap::kAxis>;
template class CellWitnesses<CellOverlap::kAxis>;
template class CellContacts<CellOverlap::kAxis>;

}  // namespace espalier
