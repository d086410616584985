// SPDX-License-Identifier: MIT
#include "../c_api/pair_kinds.h"

const espalier_collide_kind espalier_collide_box_axis =
    espalier::c_api::collide_kind<espalier::BoxTreeView, espalier::Overlap::kAxis>();
const espalier_contacts_kind espalier_contacts_box_axis =
    espalier::c_api::contacts_kind<espalier::BoxTreeView, espalier::Overlap::kAxis>();
