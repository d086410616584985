// SPDX-License-Identifier: MIT
#include "../c_api/distance_kinds.h"

const espalier_distance_kind espalier_distance_aabb =
    espalier::c_api::distance_kind<espalier::AabbTreeView>();
