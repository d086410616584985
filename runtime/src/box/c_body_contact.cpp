// SPDX-License-Identifier: MIT
#include "../c_api/body_kinds.h"

const espalier_body_collide_kind espalier_body_collide_box_sat_lite =
    espalier::c_api::body_collide_kind<espalier::BoxTreeView>();
const espalier_body_contacts_kind espalier_body_contacts_box_sat_lite =
    espalier::c_api::body_contacts_kind<espalier::BoxTreeView>();
