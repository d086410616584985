// SPDX-License-Identifier: MIT
// Questions about two parts whose kind the caller names: collide, contacts, distance.
#include "distance_kinds.h"
#include "pair_kinds.h"

using namespace espalier::c_api;
using espalier::Pose;
using espalier::ShapeView;
using espalier::Status;

extern "C" {

size_t espalier_collide_size(const espalier_collide_kind* kind) {
    return size_of(kind->query);
}

espalier_status espalier_collide_begin(espalier_query* query, size_t size, const espalier_collide_kind* kind,
                                       const espalier_shape* a, const espalier_shape* b,
                                       const espalier_pose* pose, espalier_cue* cue) {
    if (!query || !kind || !a || !b || !pose || size < size_of(kind->query))
        return code(Status::kInvalidArgument);
    kind_of(query) = &kind->query;
    return code(kind->begin(memory_of(query), from_c<ShapeView>(a), from_c<ShapeView>(b), from_c<Pose>(pose),
                            reinterpret_cast<espalier::Cue*>(cue)));
}

int espalier_collide_contact(const espalier_query* query, espalier_contact* contact) {
    const auto* kind = kind_as<espalier_collide_kind>(query);
    if (!kind->contact || !colliding(query)) return 0;
    *contact = to_c<espalier_contact>(kind->contact(memory_of(query)));
    return 1;
}

size_t espalier_contacts_size(const espalier_contacts_kind* kind) {
    return size_of(kind->query);
}

espalier_status espalier_contacts_begin(espalier_query* query, size_t size,
                                        const espalier_contacts_kind* kind, const espalier_shape* a,
                                        const espalier_shape* b, const espalier_pose* pose,
                                        espalier_contact* buffer, size_t capacity) {
    if (!query || !kind || !a || !b || !pose || size < size_of(kind->query))
        return code(Status::kInvalidArgument);
    kind_of(query) = &kind->query;
    return code(kind->begin(memory_of(query), from_c<ShapeView>(a), from_c<ShapeView>(b), from_c<Pose>(pose),
                            reinterpret_cast<espalier::Contact*>(buffer), capacity));
}

uint64_t espalier_contacts_count(const espalier_query* query) {
    return kind_as<espalier_contacts_kind>(query)->count(memory_of(query));
}

espalier_status espalier_contacts_status(const espalier_query* query) {
    return code(kind_as<espalier_contacts_kind>(query)->status(memory_of(query)));
}

espalier_status espalier_distance_begin(espalier_query* query, const espalier_distance_kind* kind,
                                        const espalier_shape* a, const espalier_shape* b,
                                        const espalier_pose* pose, const espalier_distance_goal* goal) {
    if (!query || !kind || !a || !b || !pose || !goal) return code(Status::kInvalidArgument);
    kind_of(query) = &kind->query;
    return code(kind->begin(memory_of(query), from_c<ShapeView>(a), from_c<ShapeView>(b), from_c<Pose>(pose),
                            from_c<espalier::DistanceGoal>(goal)));
}

void espalier_distance_tighten(espalier_query* query, double distance) {
    kind_as<espalier_distance_kind>(query)->tighten(memory_of(query), distance);
}

}  // extern "C"
