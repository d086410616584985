// SPDX-License-Identifier: MIT
// The kinds of ray casts.
#pragma once

#include "espalier/ray_cast.h"
#include "query_kind.h"

struct espalier_ray_kind {
    espalier::c_api::QueryKind query;
    espalier::Status (*begin)(void* query, const espalier::ShapeView& part, const espalier::Ray& ray,
                              espalier::RayMode mode);
    const espalier::RayHit& (*hit)(const void* query);
};

namespace espalier::c_api {

template <class Tree>
struct RayFunctions {
    using Query = RayCast<Tree>;
    static_assert(sizeof(Query) + kQueryMargin <= sizeof(espalier_query), "enlarge espalier_query");

    static Status begin(void* query, const ShapeView& part, const Ray& ray, RayMode mode) {
        return (new (query) Query)->begin(part, ray, mode);
    }
    static const RayHit& hit(const void* query) { return static_cast<const Query*>(query)->hit(); }
};

template <class Tree>
constexpr espalier_ray_kind ray_kind() {
    return {plain_kind<RayCast<Tree>>(), &RayFunctions<Tree>::begin, &RayFunctions<Tree>::hit};
}

}  // namespace espalier::c_api
