// SPDX-License-Identifier: MIT
// The contact queries of box trees with one overlap test: lookup tables, 3.2.2 of Zachmann 2002.
#include "../query/collide.h"
#include "../query/contacts.h"
#include "pair_codec.h"

namespace espalier {

template class Collide<BoxTreeView, Overlap::kTable>;
template class Contacts<BoxTreeView, Overlap::kTable>;

}  // namespace espalier
