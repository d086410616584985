// SPDX-License-Identifier: MIT
// The kinds of questions about bodies, made of the C++ classes. Each kind is an object of its own file, so
// that a program links only what it names.
#pragma once

#include "espalier/body_collide.h"
#include "espalier/body_contacts.h"
#include "espalier/body_distance.h"
#include "espalier/body_ray_cast.h"
#include "object.h"
#include "query_kind.h"

struct espalier_body_collide_kind {
    espalier::c_api::QueryKind query;
    espalier::Status (*begin)(void* query, const espalier::Body& a, const espalier::Body& b,
                              const espalier::Pose& pose, espalier::BodyCue* cue);
    espalier::Status (*begin_self)(void* query, const espalier::Body& body, espalier::BodyCue* cue);
    /// One of them is null.
    const espalier::BodyContact& (*contact)(const void* query);
    const espalier::OfParts<espalier::CellWitness>& (*witness)(const void* query);
};

struct espalier_body_contacts_kind {
    espalier::c_api::QueryKind query;
    espalier::Status (*begin)(void* query, const espalier::Body& a, const espalier::Body& b,
                              const espalier::Pose& pose, espalier::BodyContact* buffer,
                              std::size_t capacity);
    espalier::Status (*begin_self)(void* query, const espalier::Body& body, espalier::BodyContact* buffer,
                                   std::size_t capacity);
    std::uint64_t (*count)(const void* query);
    espalier::Status (*status)(const void* query);
};

namespace espalier::c_api {

/// What the kinds that know a distance begin with.
struct BodyDistanceKind {
    QueryKind query;
    /// The parts that the upper bound comes from.
    bool (*nearest)(const void* query, std::uint32_t* part_a, std::uint32_t* part_b);
};

}  // namespace espalier::c_api

struct espalier_body_distance_kind {
    espalier::c_api::BodyDistanceKind distance;
    espalier::Status (*begin)(void* query, const espalier::Body& a, const espalier::Body& b,
                              const espalier::Pose& pose, const espalier::DistanceGoal& goal);
    espalier::Status (*begin_self)(void* query, const espalier::Body& body,
                                   const espalier::DistanceGoal& goal);
    void (*tighten)(void* query, double distance);
};

struct espalier_body_ray_kind {
    espalier::c_api::QueryKind query;
    espalier::Status (*begin)(void* query, const espalier::Body& body, const espalier::Ray& ray,
                              espalier::RayMode mode);
    const espalier::BodyRayHit& (*hit)(const void* query);
};

namespace espalier::c_api {

template <class Query>
constexpr bool fits_body_query() {
    return sizeof(Query) + kQueryMargin <= sizeof(espalier_body_query) && alignof(Query) <= 16;
}

template <class Tree>
struct BodyCollideFunctions {
    using Query = BodyCollide<Tree>;
    static_assert(fits_body_query<Query>(), "enlarge espalier_body_query");

    static Status begin(void* query, const Body& a, const Body& b, const Pose& pose, BodyCue* cue) {
        return (new (query) Query)->begin(a, b, pose, cue);
    }
    static Status begin_self(void* query, const Body& body, BodyCue* cue) {
        return (new (query) Query)->begin_self(body, cue);
    }
    static const typename Query::Found& found(const void* query) {
        return static_cast<const Query*>(query)->contact();
    }
};

constexpr void set_found(espalier_body_collide_kind* kind, const BodyContact& (*found)(const void* query)) {
    kind->contact = found;
}
constexpr void set_found(espalier_body_collide_kind* kind,
                         const OfParts<CellWitness>& (*found)(const void* query)) {
    kind->witness = found;
}

template <class Tree>
constexpr espalier_body_collide_kind body_collide_kind() {
    using F = BodyCollideFunctions<Tree>;
    espalier_body_collide_kind kind{plain_kind<typename F::Query>(), &F::begin, &F::begin_self, nullptr,
                                    nullptr};
    set_found(&kind, &F::found);
    return kind;
}

template <class Tree>
struct BodyContactsFunctions {
    using Query = BodyContacts<Tree>;
    static_assert(fits_body_query<Query>(), "enlarge espalier_body_query");

    static Status begin(void* query, const Body& a, const Body& b, const Pose& pose, BodyContact* buffer,
                        std::size_t capacity) {
        return (new (query) Query)->begin(a, b, pose, buffer, capacity);
    }
    static Status begin_self(void* query, const Body& body, BodyContact* buffer, std::size_t capacity) {
        return (new (query) Query)->begin_self(body, buffer, capacity);
    }
    static std::uint64_t count(const void* query) { return static_cast<const Query*>(query)->count(); }
    static Status status(const void* query) { return static_cast<const Query*>(query)->status(); }
};

template <class Tree>
constexpr espalier_body_contacts_kind body_contacts_kind() {
    using F = BodyContactsFunctions<Tree>;
    return {plain_kind<typename F::Query>(), &F::begin, &F::begin_self, &F::count, &F::status};
}

template <class Tree>
struct BodyDistanceFunctions {
    using Query = BodyDistance<Tree>;
    static_assert(fits_body_query<Query>(), "enlarge espalier_body_query");

    static Status begin(void* query, const Body& a, const Body& b, const Pose& pose,
                        const DistanceGoal& goal) {
        return (new (query) Query)->begin(a, b, pose, goal);
    }
    static Status begin_self(void* query, const Body& body, const DistanceGoal& goal) {
        return (new (query) Query)->begin_self(body, goal);
    }
    static void tighten(void* query, double distance) { static_cast<Query*>(query)->tighten(distance); }
    /// A distance that was told has neither points nor parts.
    static bool measured(const Query& query) {
        return query.upper() < __builtin_huge_val() && query.closest().found.distance == query.upper();
    }
    static void result(const void* memory, espalier_distance* result) {
        const Query& query = *static_cast<const Query*>(memory);
        result->lower = query.lower();
        result->upper = query.upper();
        result->done = query.done() ? 1 : 0;
        if (measured(query)) fill_points(query.closest().found, result);
    }
    static bool nearest(const void* memory, std::uint32_t* part_a, std::uint32_t* part_b) {
        const Query& query = *static_cast<const Query*>(memory);
        if (!measured(query)) return false;
        *part_a = query.closest().part_a;
        *part_b = query.closest().part_b;
        return true;
    }
    /// There are no levels: any work counts as one.
    static std::uint32_t level(const void* query) {
        return static_cast<const Query*>(query)->counters().node_tests > 0 ? 1 : 0;
    }
};

template <class Tree>
constexpr espalier_body_distance_kind body_distance_kind() {
    using D = BodyDistanceFunctions<Tree>;
    using F = Functions<typename D::Query>;
    return {{{&F::step, &F::verdict, &F::counters, &D::result, &D::level, sizeof(typename D::Query)},
             &D::nearest},
            &D::begin,
            &D::begin_self,
            &D::tighten};
}

template <class Tree>
struct BodyRayFunctions {
    using Query = BodyRayCast<Tree>;
    static_assert(sizeof(Query) + kQueryMargin <= sizeof(espalier_query), "enlarge espalier_query");

    static Status begin(void* query, const Body& body, const Ray& ray, RayMode mode) {
        return (new (query) Query)->begin(body, ray, mode);
    }
    static const BodyRayHit& hit(const void* query) { return static_cast<const Query*>(query)->hit(); }
};

template <class Tree>
constexpr espalier_body_ray_kind body_ray_kind() {
    return {plain_kind<BodyRayCast<Tree>>(), &BodyRayFunctions<Tree>::begin, &BodyRayFunctions<Tree>::hit};
}

}  // namespace espalier::c_api
