// SPDX-License-Identifier: MIT
#include "../c_api/body_kinds.h"

const espalier_body_collide_kind espalier_body_collide_aabb_sat_lite =
    espalier::c_api::body_collide_kind<espalier::AabbTreeView>();
const espalier_body_contacts_kind espalier_body_contacts_aabb_sat_lite =
    espalier::c_api::body_contacts_kind<espalier::AabbTreeView>();
