// SPDX-License-Identifier: MIT
// The kinds of distance queries.
#pragma once

#include "espalier/distance.h"
#include "query_kind.h"

struct espalier_distance_kind {
    espalier::c_api::QueryKind query;
    espalier::Status (*begin)(void* query, const espalier::ShapeView& a, const espalier::ShapeView& b,
                              const espalier::Pose& pose, const espalier::DistanceGoal& goal);
    void (*tighten)(void* query, double distance);
};

namespace espalier::c_api {

template <class Tree>
struct DistanceFunctions {
    using Query = Distance<Tree>;
    static_assert(sizeof(Query) + kQueryMargin <= sizeof(espalier_query), "enlarge espalier_query");

    static Status begin(void* query, const ShapeView& a, const ShapeView& b, const Pose& pose,
                        const DistanceGoal& goal) {
        return (new (query) Query)->begin(a, b, pose, goal);
    }
    static void tighten(void* query, double distance) { static_cast<Query*>(query)->tighten(distance); }
    static void result(const void* memory, espalier_distance* result) {
        const Query& query = *static_cast<const Query*>(memory);
        result->lower = query.lower();
        result->upper = query.upper();
        result->done = query.done() ? 1 : 0;
        if (!(query.upper() < __builtin_huge_val())) return;
        // A distance that was told has no points.
        const ClosestPair pair = query.closest();
        if (pair.distance == query.upper()) fill_points(pair, result);
    }
    /// There are no levels: any work counts as one.
    static std::uint32_t level(const void* query) {
        return static_cast<const Query*>(query)->counters().node_tests > 0 ? 1 : 0;
    }
};

template <class Tree>
constexpr espalier_distance_kind distance_kind() {
    using D = DistanceFunctions<Tree>;
    using F = Functions<typename D::Query>;
    return {{&F::step, &F::verdict, &F::counters, &D::result, &D::level, sizeof(typename D::Query)},
            &D::begin,
            &D::tighten};
}

}  // namespace espalier::c_api
