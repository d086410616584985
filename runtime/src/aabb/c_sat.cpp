// SPDX-License-Identifier: MIT
#include "../c_api/pair_kinds.h"

#if !defined(ESPALIER_SAT_LITE_ONLY)
const espalier_collide_kind espalier_collide_aabb_sat =
    espalier::c_api::collide_kind<espalier::AabbTreeView, espalier::Overlap::kSat>();
const espalier_contacts_kind espalier_contacts_aabb_sat =
    espalier::c_api::contacts_kind<espalier::AabbTreeView, espalier::Overlap::kSat>();
#endif
