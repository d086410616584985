// SPDX-License-Identifier: MIT
// What a C query is made of: its kind, then the C++ query, in the caller's bytes.
#pragma once

#include <new>

#include "convert.h"

namespace espalier::c_api {

/// What every query can do. The kind of a question begins with it.
struct QueryKind {
    Verdict (*step)(void* query, const Budget& budget);
    Verdict (*verdict)(const void* query);
    const Counters& (*counters)(const void* query);
    /// Distance and sphere queries alone, else null.
    void (*result)(const void* query, espalier_distance* result);
    std::uint32_t (*level)(const void* query);
    std::size_t bytes;  ///< of the C++ query
};

/// The kind is in front of the query, which needs 16-byte alignment: the caller's bytes have 8.
constexpr std::size_t kQueryOffset = 16;
constexpr std::size_t kQueryMargin = kQueryOffset + 8;

inline unsigned char* aligned(const espalier_query* query) {
    auto* bytes = reinterpret_cast<unsigned char*>(const_cast<espalier_query*>(query));
    return bytes + reinterpret_cast<std::uintptr_t>(bytes) % 16;
}

inline const QueryKind*& kind_of(const espalier_query* query) {
    return *reinterpret_cast<const QueryKind**>(aligned(query));
}

/// The kind of a question, which begins with the query's.
template <class Kind>
const Kind* kind_as(const espalier_query* query) {
    return reinterpret_cast<const Kind*>(kind_of(query));
}

/// Bytes that the caller gives to a query of this kind.
inline std::size_t size_of(const QueryKind& kind) {
    return kind.bytes + kQueryMargin;
}

inline void* memory_of(const espalier_query* query) {
    return aligned(query) + kQueryOffset;
}

template <class Query>
Query* running(const espalier_query* query) {
    return std::launder(static_cast<Query*>(memory_of(query)));
}

inline bool colliding(const espalier_query* query) {
    return kind_of(query)->verdict(memory_of(query)) == Verdict::kColliding;
}

/// Makes a query of a class that fits every espalier_query.
template <class Query>
Query* make(espalier_query* query, const QueryKind* kind) {
    static_assert(sizeof(Query) + kQueryMargin <= sizeof(espalier_query) && alignof(Query) <= 16,
                  "enlarge espalier_query");
    kind_of(query) = kind;
    return new (memory_of(query)) Query;
}

template <class Query>
struct Functions {
    static Verdict step(void* query, const Budget& budget) {
        return static_cast<Query*>(query)->step(budget);
    }
    static Verdict verdict(const void* query) { return static_cast<const Query*>(query)->verdict(); }
    static const Counters& counters(const void* query) {
        return static_cast<const Query*>(query)->counters();
    }
};

/// The functions of a query without bounds.
template <class Query>
constexpr QueryKind plain_kind() {
    using F = Functions<Query>;
    return {&F::step, &F::verdict, &F::counters, nullptr, nullptr, sizeof(Query)};
}

inline void fill_points(const ClosestPair& pair, espalier_distance* result) {
    result->triangle_a = pair.triangle_a;
    result->triangle_b = pair.triangle_b;
    std::memcpy(result->point_a, pair.point_a, sizeof(result->point_a));
    std::memcpy(result->point_b, pair.point_b, sizeof(result->point_b));
    result->found = 1;
}

}  // namespace espalier::c_api
