// SPDX-License-Identifier: MIT
// Options of queries on sphere trees, from C.
#pragma once

#include "convert.h"
#include "espalier/sphere_query.h"

namespace espalier::c_api {

inline SphereQueryOptions options_of(const espalier_sphere_options* c) {
    SphereQueryOptions options;
    options.goal = from_c<DistanceGoal>(&c->goal);
    options.order = static_cast<SphereOrder>(c->order);
    options.exact = c->exact != 0;
    options.skin = c->skin;
    return options;
}

}  // namespace espalier::c_api
