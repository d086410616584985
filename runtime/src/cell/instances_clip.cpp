// SPDX-License-Identifier: MIT
// The contact queries of cell trees with one overlap test: clipping of edges, Zachmann 1997.
#include "../query/collide.h"
#include "../query/contacts.h"
#include "pair_codec.h"
#include "walk.h"

namespace espalier {

template class Collide<CellTreeView, Overlap::kClip>;
template class Contacts<CellTreeView, Overlap::kClip>;
template class CellWalk<Overlap::kClip>;
template class CellWitnesses<Overlap::kClip>;

}  // namespace espalier
