// SPDX-License-Identifier: MIT
// The contact queries of cell trees with one overlap test: clipping of edges, Zachmann 1997.
#include "contact_queries.h"

namespace espalier {

template class CellWalk<CellOverlap::kClip>;
template class CellCollide<CellOverlap::kClip>;
template class CellWitnesses<CellOverlap::kClip>;
template class CellContacts<CellOverlap::kClip>;

}  // namespace espalier
