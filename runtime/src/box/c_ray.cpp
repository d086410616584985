// SPDX-License-Identifier: MIT
#include "../c_api/ray_kinds.h"

const espalier_ray_kind espalier_ray_box = espalier::c_api::ray_kind<espalier::BoxTreeView>();
