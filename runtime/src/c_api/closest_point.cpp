// SPDX-License-Identifier: MIT
// The nearest point of a part.
#include "espalier/point.h"
#include "query_kind.h"

using namespace espalier::c_api;
using Query = espalier::ClosestPointQuery;

static_assert(sizeof(espalier::ClosestPoint) == sizeof(espalier_closest_point),
              "the C struct mirrors the C++ one");

namespace {

constexpr QueryKind kClosestPoint = plain_kind<Query>();

}  // namespace

extern "C" {

espalier_status espalier_closest_begin(espalier_query* query, const espalier_shape* part,
                                       const double point[3], double limit) {
    if (!query || !part || !point) return code(espalier::Status::kInvalidArgument);
    return code(make<Query>(query, &kClosestPoint)->begin(from_c<espalier::ShapeView>(part), point, limit));
}

int espalier_closest_result(const espalier_query* query, espalier_closest_point* point) {
    if (!colliding(query)) return 0;
    *point = to_c<espalier_closest_point>(running<Query>(query)->closest());
    return 1;
}

}  // extern "C"
