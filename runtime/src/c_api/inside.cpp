// SPDX-License-Identifier: MIT
// Whether a point is inside a part.
#include "espalier/point.h"
#include "query_kind.h"

using namespace espalier::c_api;
using Query = espalier::InsideQuery;

namespace {

constexpr QueryKind kInside = plain_kind<Query>();

}  // namespace

extern "C" espalier_status espalier_inside_begin(espalier_query* query, const espalier_shape* part,
                                                 const double point[3]) {
    if (!query || !part || !point) return code(espalier::Status::kInvalidArgument);
    return code(make<Query>(query, &kInside)->begin(from_c<espalier::ShapeView>(part), point));
}
