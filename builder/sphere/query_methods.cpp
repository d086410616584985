// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/hierarchy/query_method.h"
#include "builder/sphere/row.h"
#include "espalier/sphere_query.h"

namespace espalier {
namespace {

/// Open pairs that a sphere query keeps: far more than it needs to be exact, at 64 KiB.
constexpr std::size_t kSpherePairs = 4096;

/// Runs SphereQuery; without `kDistance` asks only whether the parts touch.
template <SphereOrder kOrder, bool kDistance>
Status run_sphere(const ShapeView& a, const ShapeView& b, const Pose& pose, const Budget& budget,
                  QueryOutcome& outcome) {
    SphereQueryOptions options;
    options.order = kOrder;
    if (!kDistance) options.goal.within = 0;
    SphereQuery<kSpherePairs> query;
    const Status status = query.begin(a, b, pose, options);
    if (status != Status::kOk) return status;
    outcome.verdict = query.step(budget);
    outcome.lower = query.lower();
    outcome.upper = query.upper();
    outcome.level = query.level();
    outcome.counters = query.counters();
    return Status::kOk;
}

template <bool kDistance>
constexpr QueryVariant kOrders[] = {
    {"best", "what narrows the bounds fastest", run_sphere<SphereOrder::kBestFirst, kDistance>},
    {"level", "level by level", run_sphere<SphereOrder::kLevel, kDistance>},
    {"widest", "widest bounds", run_sphere<SphereOrder::kWidestFirst, kDistance>}};

}  // namespace

std::span<const QueryMethod> sphere_query_methods() {
    static constexpr QueryMethod kMethods[] = {{QueryMode::kFirst, "order", kOrders<false>},
                                               {QueryMode::kDistance, "order", kOrders<true>}};
    return kMethods;
}

}  // namespace espalier
