// SPDX-License-Identifier: MIT
// Between the C structs and the C++ ones that they mirror.
#pragma once

#include <cstddef>
#include <cstring>

#include "espalier/asset.h"
#include "espalier/espalier.h"
#include "espalier/pose.h"
#include "espalier/query.h"

namespace espalier::c_api {

static_assert(sizeof(Asset) <= sizeof(espalier_asset), "enlarge espalier_asset");
static_assert(sizeof(ShapeView) <= sizeof(espalier_shape), "enlarge espalier_shape");
static_assert(sizeof(Pose) == sizeof(espalier_pose) && sizeof(Counters) == sizeof(espalier_counters) &&
                  sizeof(Cue) == sizeof(espalier_cue) &&
                  offsetof(Cue, valid) == offsetof(espalier_cue, valid) &&
                  sizeof(DistanceGoal) == sizeof(espalier_distance_goal),
              "the C structs mirror the C++ ones");
static_assert(sizeof(Contact) == sizeof(espalier_contact) &&
                  offsetof(Contact, normal) == offsetof(espalier_contact, normal),
              "the C contact mirrors the C++ one");

inline espalier_status code(Status status) {
    return static_cast<espalier_status>(status);
}

/// C structs are copied in and out as bytes: no aliasing, no alignment to care for.
template <class Cpp, class C>
Cpp from_c(const C* c) {
    static_assert(sizeof(Cpp) <= sizeof(C), "mirrored");
    Cpp value;
    std::memcpy(static_cast<void*>(&value), c, sizeof(Cpp));
    return value;
}
template <class C, class Cpp>
C to_c(const Cpp& value) {
    static_assert(sizeof(Cpp) == sizeof(C), "mirrored");
    C c;
    std::memcpy(static_cast<void*>(&c), static_cast<const void*>(&value), sizeof(C));
    return c;
}

/// A C budget as the C++ queries take it. Must stay where it is as long as the limits are used.
class BudgetOf {
  public:
    explicit BudgetOf(const espalier_budget* budget) : budget_(budget) {}
    BudgetOf(const BudgetOf&) = delete;
    BudgetOf& operator=(const BudgetOf&) = delete;

    Budget limits() {
        Budget limits;
        if (!budget_) return limits;
        limits.node_tests = budget_->node_tests;
        if (!budget_->expired) return limits;
        limits.expired = [](void* self) {
            const espalier_budget* budget = static_cast<BudgetOf*>(self)->budget_;
            return budget->expired(budget->user) != 0;
        };
        limits.user = this;
        return limits;
    }

  private:
    const espalier_budget* budget_;
};

/// The other way round. `budget` must stay where it is as long as the result is used.
inline espalier_budget budget_to_c(Budget* budget) {
    const auto expired = [](void* self) {
        const Budget& own = *static_cast<const Budget*>(self);
        return own.expired(own.user) ? 1 : 0;
    };
    return {budget->node_tests, budget->expired ? +expired : nullptr, budget};
}

}  // namespace espalier::c_api
