// SPDX-License-Identifier: MIT
// A point and a body: the closest point of all parts, and whether one of the closed ones holds it.
#include "../format/hierarchies.h"
#include "espalier/body_point.h"
#include "part_search.h"

namespace espalier {
namespace {

/// How far outside a box a point is.
double distance_to_box(const double* point, const float* lo, const float* hi) {
    double squared = 0;
    for (int k = 0; k < 3; ++k) {
        const double below = double(lo[k]) - point[k], above = point[k] - double(hi[k]);
        const double slack =
            kBoxRounding * (std::fabs(double(lo[k])) + std::fabs(double(hi[k])) + std::fabs(point[k]));
        const double out = (below > above ? below : above) - slack;
        if (out > 0) squared += out * out;
    }
    return std::sqrt(squared) * (1 - kBoxRounding);
}

struct NearestState : PartTurns<ClosestPointQuery> {
    double point[3];
    double limit;
    BodyClosestPoint closest;

    double reach() const { return found ? closest.closest.distance : limit; }
    double bound(const float* lo, const float* hi) const { return distance_to_box(point, lo, hi); }

    bool start() {
        double local[3];
        search.point_to_part(point, local);
        const Status status = query.begin(search.shape(), local, reach());
        ESPALIER_ASSERT(status == Status::kOk);
        return status == Status::kOk;
    }

    bool end(Verdict part) {
        if (part != Verdict::kColliding) return false;
        if (found && !(query.closest().distance < closest.closest.distance)) return false;
        found = true;
        closest.part = search.part();
        closest.closest = query.closest();
        search.point_to_body(closest.closest.point);
        return closest.closest.distance == 0;
    }
};

struct InsideState : PartTurns<InsideQuery> {
    double point[3];
    std::uint32_t part;

    double reach() const { return 0; }
    double bound(const float* lo, const float* hi) const { return distance_to_box(point, lo, hi); }

    bool start() {
        if (!search.shape().closed) return false;
        double local[3];
        search.point_to_part(point, local);
        const Status status = query.begin(search.shape(), local);
        ESPALIER_ASSERT(status == Status::kOk);
        return status == Status::kOk;
    }

    bool end(Verdict verdict_of_part) {
        if (verdict_of_part != Verdict::kColliding) return false;
        found = true;
        part = search.part();
        return true;
    }
};

/// Whether any part has an inside.
bool any_closed(const Body& body) {
    for (std::uint32_t i = 0; i < body.part_count(); ++i)
        if (BodyAccess::part(body, i).shape != kNoIndex && BodyAccess::shape(body, i).closed) return true;
    return false;
}

template <class State>
Status begin_at(State* s, const Body& body, const double* point) {
    const Status status = s->begin(body, HierarchiesToRead::bit_of<AabbTreeView>());
    if (status != Status::kOk) return status;
    if (!point || !finite3(point)) return Status::kInvalidArgument;
    for (int k = 0; k < 3; ++k) s->point[k] = point[k];
    return Status::kOk;
}

}  // namespace

Status BodyClosestPointQuery::begin(const Body& body, const double point[3], double limit) {
    NearestState* s = make_state<NearestState>(state_);
    const Status status = begin_at(s, body, point);
    if (status != Status::kOk) return status;
    if (!(limit >= 0)) return Status::kInvalidArgument;
    s->limit = limit;
    s->ready = true;
    return Status::kOk;
}

Verdict BodyClosestPointQuery::step(const Budget& budget) {
    NearestState* s = state<NearestState>(state_);
    s->run(s, budget);
    return s->verdict;
}

Verdict BodyClosestPointQuery::verdict() const {
    return state<NearestState>(state_)->verdict;
}

const BodyClosestPoint& BodyClosestPointQuery::closest() const {
    ESPALIER_ASSERT(verdict() == Verdict::kColliding);
    return state<NearestState>(state_)->closest;
}

const Counters& BodyClosestPointQuery::counters() const {
    return state<NearestState>(state_)->counters;
}

Status BodyInsideQuery::begin(const Body& body, const double point[3]) {
    InsideState* s = make_state<InsideState>(state_);
    const Status status = begin_at(s, body, point);
    if (status != Status::kOk) return status;
    if (!any_closed(body)) return Status::kNotClosed;
    s->ready = true;
    return Status::kOk;
}

Verdict BodyInsideQuery::step(const Budget& budget) {
    InsideState* s = state<InsideState>(state_);
    s->run(s, budget);
    return s->verdict;
}

Verdict BodyInsideQuery::verdict() const {
    return state<InsideState>(state_)->verdict;
}

std::uint32_t BodyInsideQuery::part() const {
    ESPALIER_ASSERT(verdict() == Verdict::kColliding);
    return state<InsideState>(state_)->part;
}

const Counters& BodyInsideQuery::counters() const {
    return state<InsideState>(state_)->counters;
}

}  // namespace espalier
