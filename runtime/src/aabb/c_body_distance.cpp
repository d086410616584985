// SPDX-License-Identifier: MIT
#include "../c_api/body_kinds.h"

const espalier_body_distance_kind espalier_body_distance_aabb =
    espalier::c_api::body_distance_kind<espalier::AabbTreeView>();
