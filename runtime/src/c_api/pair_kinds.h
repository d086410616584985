// SPDX-License-Identifier: MIT
// The kinds of questions about two parts, made of the C++ classes. Each kind is an object of its own file, so
// that a program links only what it names.
#pragma once

#include "espalier/collide.h"
#include "espalier/contacts.h"
#include "query_kind.h"

struct espalier_collide_kind {
    espalier::c_api::QueryKind query;
    espalier::Status (*begin)(void* query, const espalier::ShapeView& a, const espalier::ShapeView& b,
                              const espalier::Pose& pose, espalier::Cue* cue);
    /// One of them is null.
    const espalier::Contact& (*contact)(const void* query);
    const espalier::CellWitness& (*witness)(const void* query);
};

struct espalier_contacts_kind {
    espalier::c_api::QueryKind query;
    espalier::Status (*begin)(void* query, const espalier::ShapeView& a, const espalier::ShapeView& b,
                              const espalier::Pose& pose, espalier::Contact* buffer, std::size_t capacity);
    std::uint64_t (*count)(const void* query);
    espalier::Status (*status)(const void* query);
};

namespace espalier::c_api {

template <class Query, class Found>
struct CollideFunctions {
    static Status begin(void* query, const ShapeView& a, const ShapeView& b, const Pose& pose, Cue* cue) {
        return (new (query) Query)->begin(a, b, pose, cue);
    }
    static const Found& found(const void* query) { return static_cast<const Query*>(query)->contact(); }
};

constexpr void set_found(espalier_collide_kind* kind, const Contact& (*found)(const void* query)) {
    kind->contact = found;
}
constexpr void set_found(espalier_collide_kind* kind, const CellWitness& (*found)(const void* query)) {
    kind->witness = found;
}

template <class Tree, Overlap kOverlap>
constexpr espalier_collide_kind collide_kind() {
    using Query = Collide<Tree, kOverlap>;
    espalier_collide_kind kind{plain_kind<Query>(), &CollideFunctions<Query, typename Tree::Found>::begin,
                               nullptr, nullptr};
    set_found(&kind, &CollideFunctions<Query, typename Tree::Found>::found);
    return kind;
}

/// Functions of the queries that fill a buffer.
template <class Query, class Found>
struct ListFunctions {
    static Status begin(void* query, const ShapeView& a, const ShapeView& b, const Pose& pose, Found* buffer,
                        std::size_t capacity) {
        return (new (query) Query)->begin(a, b, pose, buffer, capacity);
    }
    static std::uint64_t count(const void* query) { return static_cast<const Query*>(query)->count(); }
    static Status status(const void* query) { return static_cast<const Query*>(query)->status(); }
};

template <class Tree, Overlap kOverlap>
constexpr espalier_contacts_kind contacts_kind() {
    using Query = Contacts<Tree, kOverlap>;
    using F = ListFunctions<Query, Contact>;
    return {plain_kind<Query>(), &F::begin, &F::count, &F::status};
}

}  // namespace espalier::c_api
