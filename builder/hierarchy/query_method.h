// SPDX-License-Identifier: GPL-3.0-or-later
// How a hierarchy answers on the command line: a function for each mode and each variant of it.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "espalier/asset.h"
#include "espalier/body.h"
#include "espalier/pose.h"
#include "espalier/query.h"

namespace espalier {

/// What is asked; kSelf: do two parts of one body touch.
enum class QueryMode : std::uint8_t { kFirst, kAll, kDistance, kWithin, kSelf };

constexpr std::array<std::string_view, 5> enum_names(QueryMode) {
    return {"first", "all", "distance", "within", "self"};
}

/// What a query may spend and wants to know.
struct QueryRequest {
    Budget budget;                                            ///< of each step
    double within = std::numeric_limits<double>::infinity();  ///< mode within: the distance that matters
    bool list_parts = false;                                  ///< mode all, bodies: list the parts that touch
};

/// Two parts of bodies and the number of their contacts.
struct TouchingParts {
    std::uint32_t part_a = 0;    ///< of A
    std::uint32_t part_b = 0;    ///< of B
    std::uint64_t contacts = 0;  ///< pairs of triangles
};

/// What a query found out. lower <= separation <= upper.
struct QueryOutcome {
    Verdict verdict = Verdict::kUnresolved;                  ///< what is known
    double lower = 0;                                        ///< the separation is at least this
    double upper = std::numeric_limits<double>::infinity();  ///< the separation is at most this
    std::uint64_t contacts = 0;                              ///< mode all
    std::uint32_t level = 0;  ///< down to which every pair was refined; 0 where a hierarchy has no such thing
    Counters counters;        ///< work done
    std::uint32_t part_a = kNoIndex;        ///< of body A, which the answer is of; kNoIndex: of none alone
    std::uint32_t part_b = kNoIndex;        ///< of body B, likewise
    std::vector<TouchingParts> touching{};  ///< if they were asked for
};

/// Queries one pair of shapes, both with the hierarchy.
using RunQuery = Status (*)(const ShapeView& a, const ShapeView& b, const Pose& pose,
                            const QueryRequest& request, QueryOutcome& outcome);

/// Two bodies, or one with itself.
struct QueriedBodies {
    const Body& a;     ///< with its poses set
    const Body* b;     ///< null: A with itself
    const Pose& pose;  ///< of B's frame in A's
};

/// Queries bodies all of whose shapes have the hierarchy.
using RunBodyQuery = Status (*)(const QueriedBodies& bodies, const QueryRequest& request,
                                QueryOutcome& outcome);

/// A query with one of its volume tests, or orders.
struct QueryVariant {
    const char* name;                 ///< empty: there is no choice
    const char* sentence;             ///< for the help; may be empty
    RunQuery run;                     ///< runs it once; null: it is for bodies only
    RunBodyQuery run_body = nullptr;  ///< the same for bodies; null: the runtime has it for pairs only
};

/// One mode of a hierarchy.
struct QueryMethod {
    QueryMode mode;                          ///< what it answers
    const char* option;                      ///< what chooses between the variants: "overlap", "order"
    std::span<const QueryVariant> variants;  ///< the default first
};

}  // namespace espalier
