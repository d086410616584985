// SPDX-License-Identifier: MIT
// The contact queries of cell trees with one overlap test: all separating axes.
#include "contact_queries.h"

namespace espalier {

template class CellWalk<CellOverlap::kSat>;
template class CellCollide<CellOverlap::kSat>;
template class CellWitnesses<CellOverlap::kSat>;
template class CellContacts<CellOverlap::kSat>;

}  // namespace espalier
