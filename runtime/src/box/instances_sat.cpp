// SPDX-License-Identifier: MIT
// The contact queries of box trees with one overlap test: separating axes, 3.2.3 of Zachmann 2002.
#include "../query/collide.h"
#include "../query/contacts.h"
#include "pair_codec.h"

namespace espalier {

template class Collide<BoxTreeView, Overlap::kSat>;
template class Contacts<BoxTreeView, Overlap::kSat>;

}  // namespace espalier
