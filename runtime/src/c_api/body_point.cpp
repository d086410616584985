// SPDX-License-Identifier: MIT
// Points and bodies: the nearest point, and whether a point is inside.
#include "espalier/body_point.h"

#include "object.h"
#include "query_kind.h"

using namespace espalier::c_api;
using espalier::Body;
using espalier::Status;
using Closest = espalier::BodyClosestPointQuery;
using Inside = espalier::BodyInsideQuery;

namespace {

static_assert(sizeof(espalier::BodyClosestPoint) == sizeof(espalier_body_closest_point),
              "the C struct mirrors the C++ one");

constexpr QueryKind kClosestPoint = plain_kind<Closest>();
constexpr QueryKind kInside = plain_kind<Inside>();

}  // namespace

extern "C" {

espalier_status espalier_body_closest_begin(espalier_query* query, const espalier_body* body,
                                            const double point[3], double limit) {
    if (!query || !body || !point) return code(Status::kInvalidArgument);
    return code(make<Closest>(query, &kClosestPoint)->begin(*inside<Body>(body), point, limit));
}

int espalier_body_closest_result(const espalier_query* query, espalier_body_closest_point* point) {
    if (!colliding(query)) return 0;
    *point = to_c<espalier_body_closest_point>(running<Closest>(query)->closest());
    return 1;
}

espalier_status espalier_body_inside_begin(espalier_query* query, const espalier_body* body,
                                           const double point[3]) {
    if (!query || !body || !point) return code(Status::kInvalidArgument);
    return code(make<Inside>(query, &kInside)->begin(*inside<Body>(body), point));
}

uint32_t espalier_body_inside_part(const espalier_query* query) {
    return colliding(query) ? running<Inside>(query)->part() : ESPALIER_NO_INDEX;
}

}  // extern "C"
