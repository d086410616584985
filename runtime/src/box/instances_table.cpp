// SPDX-License-Identifier: MIT
// The contact queries of box trees with one overlap test: lookup tables, 3.2.2 of Zachmann 2002.
#include "contact_queries.h"

namespace espalier {

template class BoxCollide<BoxOverlap::kTable>;
template class BoxContacts<BoxOverlap::kTable>;

}  // namespace espalier
