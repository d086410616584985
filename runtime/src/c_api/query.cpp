// SPDX-License-Identifier: MIT
// What every C query can do.
#include "query_kind.h"

using namespace espalier::c_api;

extern "C" {

espalier_pose espalier_pose_identity(void) {
    return to_c<espalier_pose>(espalier::Pose());
}

espalier_budget espalier_budget_unlimited(void) {
    return {ESPALIER_UNLIMITED, nullptr, nullptr};
}

espalier_distance_goal espalier_distance_goal_default(void) {
    return to_c<espalier_distance_goal>(espalier::DistanceGoal());
}

uint32_t espalier_step(espalier_query* query, const espalier_budget* budget) {
    BudgetOf limits(budget);
    return static_cast<uint32_t>(kind_of(query)->step(memory_of(query), limits.limits()));
}

uint32_t espalier_verdict(const espalier_query* query) {
    return static_cast<uint32_t>(kind_of(query)->verdict(memory_of(query)));
}

espalier_counters espalier_get_counters(const espalier_query* query) {
    return to_c<espalier_counters>(kind_of(query)->counters(memory_of(query)));
}

espalier_distance espalier_distance_result(const espalier_query* query) {
    espalier_distance result{};
    if (kind_of(query)->result) kind_of(query)->result(memory_of(query), &result);
    return result;
}

}  // extern "C"
