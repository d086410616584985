// SPDX-License-Identifier: MIT
// Rays.
#include "ray_kinds.h"

using namespace espalier::c_api;
using espalier::Ray;
using espalier::Status;

static_assert(sizeof(Ray) == sizeof(espalier_ray) && sizeof(espalier::RayHit) == sizeof(espalier_ray_hit),
              "the C structs mirror the C++ ones");

extern "C" {

espalier_ray espalier_ray_along(const double origin[3], const double direction[3]) {
    espalier_ray ray = to_c<espalier_ray>(Ray());
    std::memcpy(ray.origin, origin, sizeof(ray.origin));
    std::memcpy(ray.direction, direction, sizeof(ray.direction));
    return ray;
}

espalier_status espalier_ray_begin(espalier_query* query, const espalier_ray_kind* kind,
                                   const espalier_shape* part, const espalier_ray* ray, int any) {
    if (!query || !kind || !part || !ray) return code(Status::kInvalidArgument);
    kind_of(query) = &kind->query;
    return code(kind->begin(memory_of(query), from_c<espalier::ShapeView>(part), from_c<Ray>(ray),
                            any ? espalier::RayMode::kAny : espalier::RayMode::kFirst));
}

int espalier_ray_result(const espalier_query* query, espalier_ray_hit* hit) {
    if (!colliding(query)) return 0;
    *hit = to_c<espalier_ray_hit>(kind_as<espalier_ray_kind>(query)->hit(memory_of(query)));
    return 1;
}

}  // extern "C"
