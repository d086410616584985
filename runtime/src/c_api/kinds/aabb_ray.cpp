// SPDX-License-Identifier: MIT
#include "../ray_kinds.h"

const espalier_ray_kind espalier_ray_aabb = espalier::c_api::ray_kind<espalier::AabbTreeView>();
