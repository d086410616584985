// SPDX-License-Identifier: MIT
// The contact queries of box trees with one overlap test: separating axes, 3.2.3 of Zachmann 2002.
#include "contact_queries.h"

namespace espalier {

template class BoxCollide<BoxOverlap::kSat>;
template class BoxContacts<BoxOverlap::kSat>;

}  // namespace espalier
