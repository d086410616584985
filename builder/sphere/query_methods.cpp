// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include "builder/hierarchy/query_runners.h"
#include "builder/sphere/row.h"
#include "espalier/body_sphere_query.h"
#include "espalier/sphere_query.h"

namespace espalier {
namespace {

/// Open pairs that a sphere query keeps: far more than it needs to be exact, at 64 KiB.
constexpr std::size_t kSpherePairs = 4096;

/// Pairs of parts that a query of bodies refines at a time: some 20 KiB each.
constexpr BodySphereCapacity kBodyCapacity{16, 1024, 4096};

/// Only whether the parts touch, or the distance, or whether it is within the request's.
template <SphereOrder kOrder, bool kDistance>
SphereQueryOptions options_of(const QueryRequest& request) {
    SphereQueryOptions options;
    options.order = kOrder;
    options.goal.within = kDistance ? request.within : 0;
    return options;
}

template <SphereOrder kOrder, bool kDistance>
Status run_sphere(const ShapeView& a, const ShapeView& b, const Pose& pose, const QueryRequest& request,
                  QueryOutcome& outcome) {
    SphereQuery<kSpherePairs> query;
    const Status status = query.begin(a, b, pose, options_of<kOrder, kDistance>(request));
    if (status != Status::kOk) return status;
    outcome.verdict = query.step(request.budget);
    take_bounds(query, outcome);
    outcome.level = query.level();
    return Status::kOk;
}

struct alignas(16) AlignedUnit {
    unsigned char bytes[16];
};

template <SphereOrder kOrder, bool kDistance>
Status run_body_sphere(const QueriedBodies& bodies, const QueryRequest& request, QueryOutcome& outcome) {
    BodySphereOptions options;
    options.pair = options_of<kOrder, kDistance>(request);
    BodySphereQueryBase query;
    const std::size_t size = BodySphereQueryBase::memory_size(kBodyCapacity);
    const auto memory = std::make_unique_for_overwrite<AlignedUnit[]>(size / sizeof(AlignedUnit) + 1);
    const Status status =
        bodies.b ? query.begin(bodies.a, *bodies.b, bodies.pose, options, kBodyCapacity, memory.get(), size)
                 : query.begin_self(bodies.a, options, kBodyCapacity, memory.get(), size);
    if (status != Status::kOk) return status;
    outcome.verdict = query.step(request.budget);
    take_bounds(query, outcome);
    if (!query.nearest(&outcome.part_a, &outcome.part_b)) outcome.part_a = outcome.part_b = kNoIndex;
    return Status::kOk;
}

template <SphereOrder kOrder, bool kDistance>
constexpr QueryVariant variant(const char* name, const char* sentence) {
    return {name, sentence, run_sphere<kOrder, kDistance>, run_body_sphere<kOrder, kDistance>};
}

template <bool kDistance>
constexpr QueryVariant kOrders[] = {
    variant<SphereOrder::kBestFirst, kDistance>("best", "what narrows the bounds fastest"),
    variant<SphereOrder::kLevel, kDistance>("level", "level by level"),
    variant<SphereOrder::kWidestFirst, kDistance>("widest", "widest bounds")};

}  // namespace

std::span<const QueryMethod> sphere_query_methods() {
    static constexpr QueryMethod kMethods[] = {{QueryMode::kFirst, "order", kOrders<false>},
                                               {QueryMode::kDistance, "order", kOrders<true>},
                                               {QueryMode::kWithin, "order", kOrders<true>},
                                               {QueryMode::kSelf, "order", kOrders<false>}};
    return kMethods;
}

}  // namespace espalier
