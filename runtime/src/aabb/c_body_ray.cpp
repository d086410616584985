// SPDX-License-Identifier: MIT
#include "../c_api/body_kinds.h"

const espalier_body_ray_kind espalier_body_ray_aabb =
    espalier::c_api::body_ray_kind<espalier::AabbTreeView>();
