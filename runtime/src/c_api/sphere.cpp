// SPDX-License-Identifier: MIT
// Time-critical queries on sphere trees.
#include "espalier/sphere_query.h"
#include "query_kind.h"
#include "sphere_options.h"

using namespace espalier::c_api;
using espalier::Pose;
using espalier::ShapeView;
using espalier::SphereContact;
using espalier::SpherePair;
using espalier::SphereQueryOptions;
using espalier::Status;

namespace {

/// As many open pairs as the caller's memory has room for.
using Query = espalier::SphereQuery<704>;

static_assert(sizeof(SphereContact) == sizeof(espalier_sphere_contact) &&
                  sizeof(SpherePair) == sizeof(espalier_sphere_pair),
              "the C structs mirror the C++ ones");

void result_of(const void* memory, espalier_distance* result) {
    const Query& query = *static_cast<const Query*>(memory);
    result->lower = query.lower();
    result->upper = query.upper();
    result->done = query.done() ? 1 : 0;
    espalier::ClosestPair pair;
    if (query.closest(&pair)) fill_points(pair, result);
}

std::uint32_t level_of(const void* query) {
    return static_cast<const Query*>(query)->level();
}

constexpr QueryKind kSphere = {&Functions<Query>::step,
                               &Functions<Query>::verdict,
                               &Functions<Query>::counters,
                               &result_of,
                               &level_of,
                               sizeof(Query)};

}  // namespace

extern "C" {

espalier_sphere_options espalier_sphere_options_default(void) {
    const SphereQueryOptions options;
    return {to_c<espalier_distance_goal>(options.goal), static_cast<uint32_t>(options.order),
            options.exact ? 1u : 0u, options.skin};
}

espalier_status espalier_sphere_begin(espalier_query* query, const espalier_shape* a, const espalier_shape* b,
                                      const espalier_pose* pose, const espalier_sphere_options* options) {
    if (!query || !a || !b || !pose || !options) return code(Status::kInvalidArgument);
    return code(
        make<Query>(query, &kSphere)
            ->begin(from_c<ShapeView>(a), from_c<ShapeView>(b), from_c<Pose>(pose), options_of(options)));
}

espalier_status espalier_sphere_begin_in(espalier_query* query, const espalier_shape* a,
                                         const espalier_shape* b, const espalier_pose* pose,
                                         const espalier_sphere_options* options, espalier_sphere_pair* memory,
                                         size_t capacity) {
    if (!query || !a || !b || !pose || !options) return code(Status::kInvalidArgument);
    espalier::SphereQueryBase* sphere = make<Query>(query, &kSphere);
    return code(sphere->begin(from_c<ShapeView>(a), from_c<ShapeView>(b), from_c<Pose>(pose),
                              options_of(options), reinterpret_cast<SpherePair*>(memory), capacity));
}

espalier_status espalier_sphere_advance(espalier_query* query, const espalier_pose* pose) {
    if (!query || !pose) return code(Status::kInvalidArgument);
    return code(running<Query>(query)->advance(from_c<Pose>(pose)));
}

uint32_t espalier_sphere_level_reached(const espalier_query* query) {
    return running<Query>(query)->level();
}

int espalier_sphere_conservative(const espalier_query* query) {
    return running<Query>(query)->conservative() ? 1 : 0;
}

int espalier_sphere_surface_errors(const espalier_query* query) {
    return running<Query>(query)->surface_errors() ? 1 : 0;
}

size_t espalier_sphere_contacts(const espalier_query* query, espalier_sphere_contact* buffer,
                                size_t capacity) {
    return running<Query>(query)->contacts(reinterpret_cast<SphereContact*>(buffer), capacity);
}

int espalier_sphere_mean_contact(const espalier_query* query, espalier_sphere_contact* contact) {
    SphereContact mean;
    if (!contact || !running<Query>(query)->mean_contact(&mean)) return 0;
    *contact = to_c<espalier_sphere_contact>(mean);
    return 1;
}

size_t espalier_sphere_open_pairs(const espalier_query* query) {
    return running<Query>(query)->open_pairs();
}

}  // extern "C"
