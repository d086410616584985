// SPDX-License-Identifier: MIT
// The kinds of questions that only cell trees answer.
#pragma once

#include "espalier/cell_walk.h"
#include "pair_kinds.h"

struct espalier_cell_witnesses_kind {
    espalier::c_api::QueryKind query;
    espalier::Status (*begin)(void* query, const espalier::ShapeView& a, const espalier::ShapeView& b,
                              const espalier::Pose& pose, espalier::CellWitness* buffer,
                              std::size_t capacity);
    std::uint64_t (*count)(const void* query);
    espalier::Status (*status)(const void* query);
};

struct espalier_cell_walk_kind {
    espalier::c_api::QueryKind query;
    espalier::Status (*begin)(void* query, const espalier::ShapeView& a, const espalier::ShapeView& b,
                              const espalier::Pose& pose, double reach);
    espalier::Verdict (*walk)(void* query, const espalier::Budget& budget, espalier_cell_operation operation,
                              void* user);
    void (*set_reach)(void* query, double reach);
    double (*triangle_distance)(const void* query, std::uint32_t triangle_a, std::uint32_t triangle_b,
                                double* point_a, double* point_b);
};

namespace espalier::c_api {

static_assert(sizeof(CellWitness) == sizeof(espalier_cell_witness) &&
                  offsetof(CellWitness, point) == offsetof(espalier_cell_witness, point) &&
                  sizeof(CellPair) == sizeof(espalier_cell_pair) &&
                  offsetof(CellLeaf, lo) == offsetof(espalier_cell_leaf, lo),
              "the C witness and pair mirror the C++ ones");

template <Overlap kOverlap>
constexpr espalier_cell_witnesses_kind cell_witnesses_kind() {
    using Query = CellWitnesses<kOverlap>;
    using F = ListFunctions<Query, CellWitness>;
    return {plain_kind<Query>(), &F::begin, &F::count, &F::status};
}

template <class Walk>
struct WalkFunctions {
    static Status begin(void* query, const ShapeView& a, const ShapeView& b, const Pose& pose, double reach) {
        return (new (query) Walk)->begin(a, b, pose, reach);
    }
    static Verdict walk(void* query, const Budget& budget, espalier_cell_operation operation, void* user) {
        const auto apply = [&](const CellPair& pair) {
            const auto c = to_c<espalier_cell_pair>(pair);
            return operation(user, &c) != 0;
        };
        return static_cast<Walk*>(query)->step(apply, budget);
    }
    /// A step without an operation has nothing to do.
    static Verdict step(void* query, const Budget&) { return static_cast<Walk*>(query)->verdict(); }
    static void set_reach(void* query, double reach) { static_cast<Walk*>(query)->set_reach(reach); }
    static double triangle_distance(const void* query, std::uint32_t triangle_a, std::uint32_t triangle_b,
                                    double* point_a, double* point_b) {
        return static_cast<const Walk*>(query)->triangle_distance(triangle_a, triangle_b, point_a, point_b);
    }
};

template <Overlap kOverlap>
constexpr espalier_cell_walk_kind cell_walk_kind() {
    using Walk = CellWalk<kOverlap>;
    using W = WalkFunctions<Walk>;
    using F = Functions<Walk>;
    return {{&W::step, &F::verdict, &F::counters, nullptr, nullptr, sizeof(Walk)},
            &W::begin,
            &W::walk,
            &W::set_reach,
            &W::triangle_distance};
}

}  // namespace espalier::c_api
