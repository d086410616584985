// SPDX-License-Identifier: MIT
// Ray cast on a body: part by part in the order in which the ray enters their boxes. Included by one source
// file for each tree.
#pragma once

#include "../format/hierarchies.h"
#include "espalier/body_ray_cast.h"
#include "espalier/ray_cast.h"
#include "part_search.h"

namespace espalier {

template <class Tree>
struct BodyRayState : PartTurns<RayCast<Tree>> {
    Ray ray;
    RayMode mode;
    BodyRayHit hit;

    double reach() const { return this->found ? hit.hit.t : ray.max_t; }

    /// Where the ray enters a box.
    double bound(const float* lo, const float* hi) const {
        double enter = 0, leave = __builtin_huge_val();
        for (int k = 0; k < 3; ++k) {
            const double slack = kBoxRounding * (std::fabs(double(lo[k])) + std::fabs(double(hi[k])) +
                                                 std::fabs(ray.origin[k]));
            const double from = double(lo[k]) - ray.origin[k] - slack;
            const double to = double(hi[k]) - ray.origin[k] + slack;
            if (ray.direction[k] == 0) {
                if (from > 0 || to < 0) return __builtin_huge_val();
                continue;
            }
            const double t0 = from / ray.direction[k], t1 = to / ray.direction[k];
            if ((t0 < t1 ? t0 : t1) > enter) enter = t0 < t1 ? t0 : t1;
            if ((t0 < t1 ? t1 : t0) < leave) leave = t0 < t1 ? t1 : t0;
        }
        enter *= 1 - kBoxRounding;
        return enter <= leave * (1 + kBoxRounding) ? enter : __builtin_huge_val();
    }

    bool start() {
        Ray local;
        this->search.point_to_part(ray.origin, local.origin);
        this->search.direction_to_part(ray.direction, local.direction);
        local.max_t = reach();
        const Status status = this->query.begin(this->search.shape(), local, mode);
        ESPALIER_ASSERT(status == Status::kOk);
        return status == Status::kOk;
    }

    bool end(Verdict part) {
        if (part != Verdict::kColliding) return false;
        if (this->found && !(this->query.hit().t < hit.hit.t)) return false;
        this->found = true;
        hit.part = this->search.part();
        hit.hit = this->query.hit();
        for (int k = 0; k < 3; ++k) hit.hit.point[k] = ray.origin[k] + hit.hit.t * ray.direction[k];
        this->search.direction_to_body(hit.hit.normal);
        return mode == RayMode::kAny;
    }
};

inline bool sound(const Ray& ray) {
    if (!finite3(ray.origin) || !finite3(ray.direction) || !(ray.max_t >= 0)) return false;
    return ray.direction[0] != 0 || ray.direction[1] != 0 || ray.direction[2] != 0;
}

template <class Tree>
Status BodyRayCast<Tree>::begin(const Body& body, const Ray& ray, RayMode mode) {
    auto* s = make_state<BodyRayState<Tree>>(state_);
    Status status = s->begin(body, HierarchiesToRead::bit_of<Tree>());
    if (status == Status::kOk && !sound(ray)) status = Status::kInvalidArgument;
    s->ray = ray;
    s->mode = mode;
    s->ready = status == Status::kOk;
    return status;
}

template <class Tree>
Verdict BodyRayCast<Tree>::step(const Budget& budget) {
    auto* s = state<BodyRayState<Tree>>(state_);
    s->run(s, budget);
    return s->verdict;
}

template <class Tree>
Verdict BodyRayCast<Tree>::verdict() const {
    return state<BodyRayState<Tree>>(state_)->verdict;
}

template <class Tree>
const BodyRayHit& BodyRayCast<Tree>::hit() const {
    ESPALIER_ASSERT(verdict() == Verdict::kColliding);
    return state<BodyRayState<Tree>>(state_)->hit;
}

template <class Tree>
const Counters& BodyRayCast<Tree>::counters() const {
    return state<BodyRayState<Tree>>(state_)->counters;
}

}  // namespace espalier
