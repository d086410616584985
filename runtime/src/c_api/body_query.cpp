// SPDX-License-Identifier: MIT
// Questions about bodies whose kind the caller names: collide, contacts, distance, rays.
#include "body_kinds.h"

using namespace espalier::c_api;
using espalier::Body;
using espalier::BodyContact;
using espalier::BodyCue;
using espalier::Pose;
using espalier::Status;

namespace {

static_assert(sizeof(BodyContact) == sizeof(espalier_body_contact) &&
                  offsetof(BodyContact, found) == offsetof(espalier_body_contact, found) &&
                  sizeof(espalier::OfParts<espalier::CellWitness>) == sizeof(espalier_body_cell_witness) &&
                  sizeof(BodyCue) == sizeof(espalier_body_cue) &&
                  offsetof(BodyCue, cue) == offsetof(espalier_body_cue, cue) &&
                  sizeof(espalier::BodyRayHit) == sizeof(espalier_body_ray_hit),
              "the C structs mirror the C++ ones");

}  // namespace

extern "C" {

size_t espalier_body_collide_size(const espalier_body_collide_kind* kind) {
    return size_of(kind->query);
}

espalier_status espalier_body_collide_begin(espalier_query* query, size_t size,
                                            const espalier_body_collide_kind* kind, const espalier_body* a,
                                            const espalier_body* b, const espalier_pose* pose,
                                            espalier_body_cue* cue) {
    if (!query || !kind || !a || !b || !pose || size < size_of(kind->query))
        return code(Status::kInvalidArgument);
    kind_of(query) = &kind->query;
    return code(kind->begin(memory_of(query), *inside<Body>(a), *inside<Body>(b), from_c<Pose>(pose),
                            reinterpret_cast<BodyCue*>(cue)));
}

espalier_status espalier_body_collide_begin_self(espalier_query* query, size_t size,
                                                 const espalier_body_collide_kind* kind,
                                                 const espalier_body* body, espalier_body_cue* cue) {
    if (!query || !kind || !body || size < size_of(kind->query)) return code(Status::kInvalidArgument);
    kind_of(query) = &kind->query;
    return code(kind->begin_self(memory_of(query), *inside<Body>(body), reinterpret_cast<BodyCue*>(cue)));
}

int espalier_body_collide_contact(const espalier_query* query, espalier_body_contact* contact) {
    const auto* kind = kind_as<espalier_body_collide_kind>(query);
    if (!kind->contact || !colliding(query)) return 0;
    *contact = to_c<espalier_body_contact>(kind->contact(memory_of(query)));
    return 1;
}

int espalier_body_collide_witness(const espalier_query* query, espalier_body_cell_witness* witness) {
    const auto* kind = kind_as<espalier_body_collide_kind>(query);
    if (!kind->witness || !colliding(query)) return 0;
    *witness = to_c<espalier_body_cell_witness>(kind->witness(memory_of(query)));
    return 1;
}

size_t espalier_body_contacts_size(const espalier_body_contacts_kind* kind) {
    return size_of(kind->query);
}

espalier_status espalier_body_contacts_begin(espalier_query* query, size_t size,
                                             const espalier_body_contacts_kind* kind, const espalier_body* a,
                                             const espalier_body* b, const espalier_pose* pose,
                                             espalier_body_contact* buffer, size_t capacity) {
    if (!query || !kind || !a || !b || !pose || size < size_of(kind->query))
        return code(Status::kInvalidArgument);
    kind_of(query) = &kind->query;
    return code(kind->begin(memory_of(query), *inside<Body>(a), *inside<Body>(b), from_c<Pose>(pose),
                            reinterpret_cast<BodyContact*>(buffer), capacity));
}

espalier_status espalier_body_contacts_begin_self(espalier_query* query, size_t size,
                                                  const espalier_body_contacts_kind* kind,
                                                  const espalier_body* body, espalier_body_contact* buffer,
                                                  size_t capacity) {
    if (!query || !kind || !body || size < size_of(kind->query)) return code(Status::kInvalidArgument);
    kind_of(query) = &kind->query;
    return code(kind->begin_self(memory_of(query), *inside<Body>(body),
                                 reinterpret_cast<BodyContact*>(buffer), capacity));
}

uint64_t espalier_body_contacts_count(const espalier_query* query) {
    return kind_as<espalier_body_contacts_kind>(query)->count(memory_of(query));
}

espalier_status espalier_body_contacts_status(const espalier_query* query) {
    return code(kind_as<espalier_body_contacts_kind>(query)->status(memory_of(query)));
}

size_t espalier_body_distance_size(const espalier_body_distance_kind* kind) {
    return size_of(kind->distance.query);
}

espalier_status espalier_body_distance_begin(espalier_query* query, size_t size,
                                             const espalier_body_distance_kind* kind, const espalier_body* a,
                                             const espalier_body* b, const espalier_pose* pose,
                                             const espalier_distance_goal* goal) {
    if (!query || !kind || !a || !b || !pose || !goal || size < size_of(kind->distance.query))
        return code(Status::kInvalidArgument);
    kind_of(query) = &kind->distance.query;
    return code(kind->begin(memory_of(query), *inside<Body>(a), *inside<Body>(b), from_c<Pose>(pose),
                            from_c<espalier::DistanceGoal>(goal)));
}

espalier_status espalier_body_distance_begin_self(espalier_query* query, size_t size,
                                                  const espalier_body_distance_kind* kind,
                                                  const espalier_body* body,
                                                  const espalier_distance_goal* goal) {
    if (!query || !kind || !body || !goal || size < size_of(kind->distance.query))
        return code(Status::kInvalidArgument);
    kind_of(query) = &kind->distance.query;
    return code(
        kind->begin_self(memory_of(query), *inside<Body>(body), from_c<espalier::DistanceGoal>(goal)));
}

void espalier_body_distance_tighten(espalier_query* query, double distance) {
    kind_as<espalier_body_distance_kind>(query)->tighten(memory_of(query), distance);
}

int espalier_body_nearest(const espalier_query* query, uint32_t* part_a, uint32_t* part_b) {
    std::uint32_t a = 0, b = 0;
    if (!kind_as<BodyDistanceKind>(query)->nearest(memory_of(query), &a, &b)) return 0;
    *part_a = a;
    *part_b = b;
    return 1;
}

espalier_status espalier_body_ray_begin(espalier_query* query, const espalier_body_ray_kind* kind,
                                        const espalier_body* body, const espalier_ray* ray, int any) {
    if (!query || !kind || !body || !ray) return code(Status::kInvalidArgument);
    kind_of(query) = &kind->query;
    return code(kind->begin(memory_of(query), *inside<Body>(body), from_c<espalier::Ray>(ray),
                            any ? espalier::RayMode::kAny : espalier::RayMode::kFirst));
}

int espalier_body_ray_result(const espalier_query* query, espalier_body_ray_hit* hit) {
    if (!colliding(query)) return 0;
    *hit = to_c<espalier_body_ray_hit>(kind_as<espalier_body_ray_kind>(query)->hit(memory_of(query)));
    return 1;
}

}  // extern "C"
