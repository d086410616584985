// SPDX-License-Identifier: MIT
// The contact queries of box trees with one overlap test: axis alignment, 3.2.1 of Zachmann 2002.
#include "../query/collide.h"
#include "../query/contacts.h"
#include "pair_codec.h"

namespace espalier {

template class Collide<BoxTreeView, Overlap::kAxis>;
template class Contacts<BoxTreeView, Overlap::kAxis>;

}  // namespace espalier
