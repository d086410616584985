// SPDX-License-Identifier: MIT
// The contact queries of box trees with one overlap test: axis alignment, 3.2.1 of Zachmann 2002.
#include "contact_queries.h"

namespace espalier {

template class BoxCollide<BoxOverlap::kAxis>;
template class BoxContacts<BoxOverlap::kAxis>;

}  // namespace espalier
