// SPDX-License-Identifier: MIT
// Time-critical queries of bodies.
#include "body_kinds.h"
#include "espalier/body_sphere_query.h"
#include "sphere_options.h"

using namespace espalier::c_api;
using espalier::Body;
using espalier::BodyClosestPair;
using espalier::BodySphereCapacity;
using espalier::BodySphereOptions;
using espalier::Pose;
using espalier::Status;
using Query = espalier::BodySphereQueryBase;

namespace {

static_assert(sizeof(BodySphereCapacity) == sizeof(espalier_body_sphere_capacity),
              "the C struct mirrors the C++ one");

void result_of(const void* memory, espalier_distance* result) {
    const Query& query = *static_cast<const Query*>(memory);
    result->lower = query.lower();
    result->upper = query.upper();
    result->done = query.done() ? 1 : 0;
    BodyClosestPair pair;
    if (query.closest(&pair)) fill_points(pair.found, result);
}

bool nearest_of(const void* query, std::uint32_t* part_a, std::uint32_t* part_b) {
    return static_cast<const Query*>(query)->nearest(part_a, part_b);
}

/// Each pair of parts has reached a level of its own: any work counts as one.
std::uint32_t level_of(const void* query) {
    return static_cast<const Query*>(query)->counters().node_tests > 0 ? 1 : 0;
}

constexpr BodyDistanceKind kBodySphere = {{&Functions<Query>::step, &Functions<Query>::verdict,
                                           &Functions<Query>::counters, &result_of, &level_of, sizeof(Query)},
                                          &nearest_of};

BodySphereOptions body_options_of(const espalier_body_sphere_options* c) {
    BodySphereOptions options;
    options.pair = options_of(&c->pair);
    options.slice = c->slice;
    return options;
}

}  // namespace

extern "C" {

espalier_body_sphere_options espalier_body_sphere_options_default(void) {
    return {espalier_sphere_options_default(), BodySphereOptions().slice};
}

espalier_body_sphere_capacity espalier_body_sphere_capacity_default(void) {
    return to_c<espalier_body_sphere_capacity>(BodySphereCapacity());
}

size_t espalier_body_sphere_memory_size(const espalier_body_sphere_capacity* capacity) {
    return Query::memory_size(from_c<BodySphereCapacity>(capacity));
}

espalier_status espalier_body_sphere_begin(espalier_query* query, const espalier_body* a,
                                           const espalier_body* b, const espalier_pose* pose,
                                           const espalier_body_sphere_options* options,
                                           const espalier_body_sphere_capacity* capacity, void* memory,
                                           size_t size) {
    if (!query || !a || !b || !pose || !options || !capacity) return code(Status::kInvalidArgument);
    return code(make<Query>(query, &kBodySphere.query)
                    ->begin(*inside<Body>(a), *inside<Body>(b), from_c<Pose>(pose), body_options_of(options),
                            from_c<BodySphereCapacity>(capacity), memory, size));
}

espalier_status espalier_body_sphere_begin_self(espalier_query* query, const espalier_body* body,
                                                const espalier_body_sphere_options* options,
                                                const espalier_body_sphere_capacity* capacity, void* memory,
                                                size_t size) {
    if (!query || !body || !options || !capacity) return code(Status::kInvalidArgument);
    return code(make<Query>(query, &kBodySphere.query)
                    ->begin_self(*inside<Body>(body), body_options_of(options),
                                 from_c<BodySphereCapacity>(capacity), memory, size));
}

espalier_status espalier_body_sphere_advance(espalier_query* query, const espalier_pose* pose) {
    if (!query || !pose) return code(Status::kInvalidArgument);
    return code(running<Query>(query)->advance(from_c<Pose>(pose)));
}

uint32_t espalier_body_sphere_active_pairs(const espalier_query* query) {
    return running<Query>(query)->active_pairs();
}

uint32_t espalier_body_sphere_started_pairs(const espalier_query* query) {
    return running<Query>(query)->started_pairs();
}

}  // extern "C"
