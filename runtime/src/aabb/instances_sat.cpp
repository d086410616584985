// SPDX-License-Identifier: MIT
// The contact queries of aabb trees with one overlap test: all 15 axes (van den Bergen 1998, section 3). A
// runtime compiled with ESPALIER_SAT_LITE_ONLY is without it, and the C functions then use the 6 face axes
// for both.
#include "../query/collide.h"
#include "../query/contacts.h"
#include "pair_codec.h"

#if !defined(ESPALIER_SAT_LITE_ONLY)
namespace espalier {

template class Collide<AabbTreeView, Overlap::kSat>;
template class Contacts<AabbTreeView, Overlap::kSat>;

}  // namespace espalier
#endif
