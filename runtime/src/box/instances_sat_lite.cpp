// SPDX-License-Identifier: MIT
// The contact queries of box trees with one overlap test: SAT lite, 3.2.4 of Zachmann 2002.
#include "../query/collide.h"
#include "../query/contacts.h"
#include "pair_codec.h"

namespace espalier {

template class Collide<BoxTreeView, Overlap::kSatLite>;
template class Contacts<BoxTreeView, Overlap::kSatLite>;

}  // namespace espalier
