// SPDX-License-Identifier: MIT
// The C header over the C++ runtime.
#include <cstring>
#include <new>

#include "espalier/asset.h"
#include "espalier/cell_walk.h"
#include "espalier/collide.h"
#include "espalier/contacts.h"
#include "espalier/distance.h"
#include "espalier/espalier.h"
#include "espalier/point.h"
#include "espalier/ray_cast.h"
#include "espalier/refit.h"
#include "espalier/sphere_query.h"

namespace {

using espalier::AabbTreeView;
using espalier::Asset;
using espalier::Budget;
using espalier::CellLeaf;
using espalier::CellPair;
using espalier::CellTreeView;
using espalier::CellWalk;
using espalier::CellWitness;
using espalier::ClosestPoint;
using espalier::ClosestPointQuery;
using espalier::Collide;
using espalier::Contact;
using espalier::Contacts;
using espalier::Distance;
using espalier::DistanceGoal;
using espalier::InsideQuery;
using espalier::Overlap;
using espalier::PartView;
using espalier::Pose;
using espalier::Ray;
using espalier::RayCast;
using espalier::RayHit;
using espalier::RayMode;
using espalier::SphereContact;
using espalier::SphereOrder;
using espalier::SphereQueryOptions;
using espalier::Status;

/// As many open pairs as the caller's memory has room for.
using SphereQuery = espalier::SphereQuery<704>;

/// First contact on aabb trees with the overlap test that the caller names.
class AabbCollide {
  public:
    Status begin(const PartView& a, const PartView& b, const Pose& pose, [[maybe_unused]] Overlap overlap) {
#if !defined(ESPALIER_SAT_LITE_ONLY)
        all_axes_ = overlap == Overlap::kSat;
        if (all_axes_) return sat_.begin(a, b, pose);
#endif
        return sat_lite_.begin(a, b, pose);
    }
    espalier::Verdict step(const Budget& budget) {
#if !defined(ESPALIER_SAT_LITE_ONLY)
        if (all_axes_) return sat_.step(budget);
#endif
        return sat_lite_.step(budget);
    }
    const Contact& contact() const {
#if !defined(ESPALIER_SAT_LITE_ONLY)
        if (all_axes_) return sat_.contact();
#endif
        return sat_lite_.contact();
    }

  private:
    union {
        Collide<AabbTreeView> sat_lite_;
#if !defined(ESPALIER_SAT_LITE_ONLY)
        Collide<AabbTreeView, Overlap::kSat> sat_;
#endif
    };
#if !defined(ESPALIER_SAT_LITE_ONLY)
    bool all_axes_;
#endif
};

static_assert(sizeof(Asset) <= sizeof(espalier_asset), "enlarge espalier_asset");
static_assert(sizeof(PartView) <= sizeof(espalier_part), "enlarge espalier_part");
static_assert(sizeof(AabbCollide) + 8 <= sizeof(espalier_query) &&
                  sizeof(Contacts<AabbTreeView>) + 8 <= sizeof(espalier_query) &&
                  sizeof(Distance<AabbTreeView>) + 8 <= sizeof(espalier_query) &&
                  sizeof(RayCast<AabbTreeView>) + 8 <= sizeof(espalier_query) &&
                  sizeof(SphereQuery) + 8 <= sizeof(espalier_query),
              "enlarge espalier_query");
static_assert(sizeof(Collide<CellTreeView>) + 8 <= sizeof(espalier_query) &&
                  sizeof(CellWalk<>) + 8 <= sizeof(espalier_query),
              "enlarge espalier_query");
static_assert(sizeof(CellWitness) == sizeof(espalier_cell_witness) &&
                  offsetof(CellWitness, point) == offsetof(espalier_cell_witness, point) &&
                  sizeof(CellPair) == sizeof(espalier_cell_pair) &&
                  offsetof(CellLeaf, lo) == offsetof(espalier_cell_leaf, lo),
              "the C witness and pair mirror the C++ ones");
static_assert(sizeof(DistanceGoal) == sizeof(espalier_distance_goal) && sizeof(Ray) == sizeof(espalier_ray) &&
                  sizeof(RayHit) == sizeof(espalier_ray_hit) &&
                  sizeof(SphereContact) == sizeof(espalier_sphere_contact) &&
                  sizeof(ClosestPoint) == sizeof(espalier_closest_point),
              "the C structs mirror the C++ ones");
static_assert(sizeof(Contact) == sizeof(espalier_contact) &&
                  offsetof(Contact, normal) == offsetof(espalier_contact, normal),
              "the C contact mirrors the C++ one");
static_assert(sizeof(Pose) == sizeof(espalier_pose), "the C pose mirrors the C++ one");

espalier_status code(Status status) {
    return static_cast<espalier_status>(status);
}

/// C structs are copied in and out as bytes: no aliasing, no alignment to care for.
template <class Cpp, class C>
Cpp from_c(const C* c) {
    Cpp value;
    std::memcpy(static_cast<void*>(&value), c, sizeof(Cpp));
    return value;
}
template <class Cpp, class C>
void to_c(const Cpp& value, C* c) {
    std::memcpy(c, static_cast<const void*>(&value), sizeof(Cpp));
}

/// The query object inside the caller's bytes, at the next 16-byte boundary.
unsigned char* aligned(espalier_query* query) {
    auto* bytes = reinterpret_cast<unsigned char*>(query->opaque);
    const std::size_t misalignment = reinterpret_cast<std::uintptr_t>(bytes) % alignof(AabbCollide);
    return misalignment == 0 ? bytes : bytes + (alignof(AabbCollide) - misalignment);
}

template <class Query>
Query* make(espalier_query* query) {
    return new (aligned(query)) Query;
}
template <class Query>
Query* running(espalier_query* query) {
    return std::launder(reinterpret_cast<Query*>(aligned(query)));
}
template <class Query>
const Query* running(const espalier_query* query) {
    return running<Query>(const_cast<espalier_query*>(query));
}

struct ClockAdapter {
    const espalier_budget* budget;
    static bool expired(void* user) {
        const espalier_budget* b = static_cast<ClockAdapter*>(user)->budget;
        return b->expired(b->user) != 0;
    }
};

/// `clock` must live as long as the result is used.
Budget limits_of(const espalier_budget* budget, ClockAdapter* clock) {
    Budget limits;
    if (budget && budget->node_tests > 0) limits.node_tests = budget->node_tests;
    if (budget && budget->expired) {
        limits.expired = &ClockAdapter::expired;
        limits.user = clock;
    }
    return limits;
}

template <class Query>
uint32_t step(espalier_query* query, const espalier_budget* budget) {
    ClockAdapter clock{budget};
    return static_cast<uint32_t>(running<Query>(query)->step(limits_of(budget, &clock)));
}

}  // namespace

extern "C" {

const char* espalier_status_text(espalier_status status) {
    return espalier::status_text(static_cast<Status>(status));
}

espalier_status espalier_open(const void* data, size_t size, uint32_t verify, espalier_asset* asset) {
    if (!asset || verify > ESPALIER_VERIFY_FULL) return code(Status::kInvalidArgument);
    Asset view;
    const Status status = espalier::open(data, size, static_cast<espalier::Verify>(verify), &view);
    if (status == Status::kOk) to_c(view, asset);
    return code(status);
}

uint32_t espalier_part_count(const espalier_asset* asset) {
    return from_c<Asset>(asset).part_count();
}

espalier_status espalier_get_part(const espalier_asset* asset, uint32_t index, espalier_part* part) {
    if (!asset || !part) return code(Status::kInvalidArgument);
    PartView view;
    const Status status = from_c<Asset>(asset).part(index, &view);
    if (status == Status::kOk) to_c(view, part);
    return code(status);
}

uint32_t espalier_triangle_count(const espalier_part* part) {
    return from_c<PartView>(part).mesh.triangle_count;
}

espalier_pose espalier_identity(void) {
    espalier_pose pose;
    to_c(Pose(), &pose);
    return pose;
}

espalier_status espalier_collide_begin(espalier_query* query, const espalier_part* a, const espalier_part* b,
                                       const espalier_pose* pose, uint32_t overlap) {
    if (!query || !a || !b || !pose || overlap > ESPALIER_OVERLAP_SAT) return code(Status::kInvalidArgument);
    return code(make<AabbCollide>(query)->begin(from_c<PartView>(a), from_c<PartView>(b), from_c<Pose>(pose),
                                                static_cast<Overlap>(overlap)));
}

uint32_t espalier_collide_step(espalier_query* query, const espalier_budget* budget) {
    return step<AabbCollide>(query, budget);
}

espalier_contact espalier_collide_contact(const espalier_query* query) {
    espalier_contact contact;
    to_c(running<AabbCollide>(query)->contact(), &contact);
    return contact;
}

espalier_status espalier_contacts(espalier_query* query, const espalier_part* a, const espalier_part* b,
                                  const espalier_pose* pose, espalier_contact* buffer, size_t capacity,
                                  uint64_t* count) {
    if (!query || !a || !b || !pose || !count) return code(Status::kInvalidArgument);
    auto* contacts = make<Contacts<AabbTreeView>>(query);
    const Status status = contacts->begin(from_c<PartView>(a), from_c<PartView>(b), from_c<Pose>(pose),
                                          reinterpret_cast<Contact*>(buffer), capacity);
    if (status != Status::kOk) return code(status);
    contacts->step();
    *count = contacts->count();
    return code(contacts->status());
}

espalier_distance_goal espalier_any_distance(void) {
    espalier_distance_goal goal;
    to_c(DistanceGoal(), &goal);
    return goal;
}

espalier_status espalier_distance_begin(espalier_query* query, const espalier_part* a, const espalier_part* b,
                                        const espalier_pose* pose, const espalier_distance_goal* goal) {
    if (!query || !a || !b || !pose || !goal) return code(Status::kInvalidArgument);
    return code(make<Distance<AabbTreeView>>(query)->begin(from_c<PartView>(a), from_c<PartView>(b),
                                                           from_c<Pose>(pose), from_c<DistanceGoal>(goal)));
}

uint32_t espalier_distance_step(espalier_query* query, const espalier_budget* budget) {
    return step<Distance<AabbTreeView>>(query, budget);
}

espalier_distance espalier_distance_result(const espalier_query* query) {
    const Distance<AabbTreeView>* distance = running<Distance<AabbTreeView>>(query);
    const espalier::ClosestPair pair = distance->closest();
    espalier_distance result;
    result.lower = distance->lower();
    result.upper = distance->upper();
    result.triangle_a = pair.triangle_a;
    result.triangle_b = pair.triangle_b;
    std::memcpy(result.point_a, pair.point_a, sizeof(result.point_a));
    std::memcpy(result.point_b, pair.point_b, sizeof(result.point_b));
    result.done = distance->done() ? 1 : 0;
    return result;
}

espalier_status espalier_cell_collide_begin(espalier_query* query, const espalier_part* a,
                                            const espalier_part* b, const espalier_pose* pose) {
    if (!query || !a || !b || !pose) return code(Status::kInvalidArgument);
    return code(make<Collide<CellTreeView>>(query)->begin(from_c<PartView>(a), from_c<PartView>(b),
                                                          from_c<Pose>(pose)));
}

uint32_t espalier_cell_collide_step(espalier_query* query, const espalier_budget* budget) {
    return step<Collide<CellTreeView>>(query, budget);
}

espalier_cell_witness espalier_cell_collide_witness(const espalier_query* query) {
    espalier_cell_witness witness;
    to_c(running<Collide<CellTreeView>>(query)->contact(), &witness);
    return witness;
}

espalier_status espalier_cell_walk_begin(espalier_query* query, const espalier_part* a,
                                         const espalier_part* b, const espalier_pose* pose, double reach) {
    if (!query || !a || !b || !pose) return code(Status::kInvalidArgument);
    return code(
        make<CellWalk<>>(query)->begin(from_c<PartView>(a), from_c<PartView>(b), from_c<Pose>(pose), reach));
}

uint32_t espalier_cell_walk_step(espalier_query* query, const espalier_budget* budget,
                                 espalier_cell_operation operation, void* user) {
    ClockAdapter clock{budget};
    const auto call = [&](const CellPair& pair) {
        espalier_cell_pair c;
        to_c(pair, &c);
        return operation(user, &c) != 0;
    };
    return static_cast<uint32_t>(running<CellWalk<>>(query)->step(call, limits_of(budget, &clock)));
}

void espalier_cell_walk_set_reach(espalier_query* query, double reach) {
    running<CellWalk<>>(query)->set_reach(reach);
}

double espalier_cell_walk_triangle_distance(const espalier_query* query, uint32_t triangle_a,
                                            uint32_t triangle_b) {
    return running<CellWalk<>>(query)->triangle_distance(triangle_a, triangle_b);
}

espalier_status espalier_sphere_begin(espalier_query* query, const espalier_part* a, const espalier_part* b,
                                      const espalier_pose* pose, const espalier_distance_goal* goal,
                                      uint32_t order) {
    if (!query || !a || !b || !pose || !goal) return code(Status::kInvalidArgument);
    SphereQueryOptions options;
    options.goal = from_c<DistanceGoal>(goal);
    options.order = static_cast<SphereOrder>(order);
    return code(make<SphereQuery>(query)->begin(from_c<PartView>(a), from_c<PartView>(b), from_c<Pose>(pose),
                                                options));
}

espalier_status espalier_sphere_advance(espalier_query* query, const espalier_pose* pose) {
    if (!query || !pose) return code(Status::kInvalidArgument);
    return code(running<SphereQuery>(query)->advance(from_c<Pose>(pose)));
}

uint32_t espalier_sphere_step(espalier_query* query, const espalier_budget* budget) {
    return step<SphereQuery>(query, budget);
}

espalier_distance espalier_sphere_result(const espalier_query* query) {
    const SphereQuery* sphere = running<SphereQuery>(query);
    espalier::ClosestPair pair;
    sphere->closest(&pair);
    espalier_distance result;
    result.lower = sphere->lower();
    result.upper = sphere->upper();
    result.triangle_a = pair.triangle_a;
    result.triangle_b = pair.triangle_b;
    std::memcpy(result.point_a, pair.point_a, sizeof(result.point_a));
    std::memcpy(result.point_b, pair.point_b, sizeof(result.point_b));
    result.done = sphere->done() ? 1 : 0;
    return result;
}

uint32_t espalier_sphere_level(const espalier_query* query) {
    return running<SphereQuery>(query)->level();
}

int espalier_sphere_mean_contact(const espalier_query* query, espalier_sphere_contact* contact) {
    SphereContact mean;
    if (!contact || !running<SphereQuery>(query)->mean_contact(&mean)) return 0;
    to_c(mean, contact);
    return 1;
}

espalier_status espalier_ray_begin(espalier_query* query, const espalier_part* part, const espalier_ray* ray,
                                   int any) {
    if (!query || !part || !ray) return code(Status::kInvalidArgument);
    return code(make<RayCast<AabbTreeView>>(query)->begin(from_c<PartView>(part), from_c<Ray>(ray),
                                                          any ? RayMode::kAny : RayMode::kFirst));
}

uint32_t espalier_ray_step(espalier_query* query, const espalier_budget* budget) {
    return step<RayCast<AabbTreeView>>(query, budget);
}

espalier_ray_hit espalier_ray_result(const espalier_query* query) {
    espalier_ray_hit hit;
    to_c(running<RayCast<AabbTreeView>>(query)->hit(), &hit);
    return hit;
}

espalier_status espalier_closest_begin(espalier_query* query, const espalier_part* part,
                                       const double point[3], double limit) {
    if (!query || !part || !point) return code(Status::kInvalidArgument);
    return code(make<ClosestPointQuery>(query)->begin(from_c<PartView>(part), point, limit));
}

uint32_t espalier_closest_step(espalier_query* query, const espalier_budget* budget) {
    return step<ClosestPointQuery>(query, budget);
}

espalier_closest_point espalier_closest_result(const espalier_query* query) {
    espalier_closest_point point;
    to_c(running<ClosestPointQuery>(query)->closest(), &point);
    return point;
}

espalier_status espalier_inside_begin(espalier_query* query, const espalier_part* part,
                                      const double point[3]) {
    if (!query || !part || !point) return code(Status::kInvalidArgument);
    return code(make<InsideQuery>(query)->begin(from_c<PartView>(part), point));
}

uint32_t espalier_inside_step(espalier_query* query, const espalier_budget* budget) {
    return step<InsideQuery>(query, budget);
}

uint32_t espalier_vertex_count(const espalier_part* part) {
    return from_c<PartView>(part).mesh.vertex_count;
}

uint32_t espalier_node_count(const espalier_part* part) {
    return from_c<PartView>(part).aabb.node_count;
}

size_t espalier_refit_scratch_size(const espalier_part* part) {
    return espalier::refit_scratch_size(from_c<PartView>(part));
}

espalier_status espalier_refit(const espalier_part* part, const float* positions, void* nodes, void* scratch,
                               size_t scratch_size, espalier_part* refitted) {
    if (!part || !refitted) return code(Status::kInvalidArgument);
    PartView view;
    const Status status =
        espalier::refit(from_c<PartView>(part), positions, static_cast<espalier::AabbNode*>(nodes), scratch,
                        scratch_size, &view);
    if (status == Status::kOk) to_c(view, refitted);
    return code(status);
}

}  // extern "C"
