// SPDX-License-Identifier: MIT
// The contact queries of box trees with one overlap test: SAT lite, 3.2.4 of Zachmann 2002.
#include "contact_queries.h"

namespace espalier {

template class BoxCollide<BoxOverlap::kSatLite>;
template class BoxContacts<BoxOverlap::kSatLite>;

}  // namespace espalier
