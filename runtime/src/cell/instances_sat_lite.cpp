// SPDX-License-Identifier: MIT
// The contact queries of cell trees with one overlap test: enclosures in both frames.
#include "contact_queries.h"

namespace espalier {

template class CellWalk<CellOverlap::kSatLite>;
template class CellCollide<CellOverlap::kSatLite>;
template class CellWitnesses<CellOverlap::kSatLite>;
template class CellContacts<CellOverlap::kSatLite>;

}  // namespace espalier
