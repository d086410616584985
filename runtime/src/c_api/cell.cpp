// SPDX-License-Identifier: MIT
// Questions that only cell trees answer: witnesses, and walks with the caller's operation.
#include "cell_kinds.h"

using namespace espalier::c_api;
using espalier::Pose;
using espalier::ShapeView;
using espalier::Status;

extern "C" {

int espalier_collide_witness(const espalier_query* query, espalier_cell_witness* witness) {
    const auto* kind = kind_as<espalier_collide_kind>(query);
    if (!kind->witness || !colliding(query)) return 0;
    *witness = to_c<espalier_cell_witness>(kind->witness(memory_of(query)));
    return 1;
}

size_t espalier_cell_witnesses_size(const espalier_cell_witnesses_kind* kind) {
    return size_of(kind->query);
}

espalier_status espalier_cell_witnesses_begin(espalier_query* query, size_t size,
                                              const espalier_cell_witnesses_kind* kind,
                                              const espalier_shape* a, const espalier_shape* b,
                                              const espalier_pose* pose, espalier_cell_witness* buffer,
                                              size_t capacity) {
    if (!query || !kind || !a || !b || !pose || size < size_of(kind->query))
        return code(Status::kInvalidArgument);
    kind_of(query) = &kind->query;
    return code(kind->begin(memory_of(query), from_c<ShapeView>(a), from_c<ShapeView>(b), from_c<Pose>(pose),
                            reinterpret_cast<espalier::CellWitness*>(buffer), capacity));
}

uint64_t espalier_cell_witnesses_count(const espalier_query* query) {
    return kind_as<espalier_cell_witnesses_kind>(query)->count(memory_of(query));
}

espalier_status espalier_cell_witnesses_status(const espalier_query* query) {
    return code(kind_as<espalier_cell_witnesses_kind>(query)->status(memory_of(query)));
}

size_t espalier_cell_walk_size(const espalier_cell_walk_kind* kind) {
    return size_of(kind->query);
}

espalier_status espalier_cell_walk_begin(espalier_query* query, size_t size,
                                         const espalier_cell_walk_kind* kind, const espalier_shape* a,
                                         const espalier_shape* b, const espalier_pose* pose, double reach) {
    if (!query || !kind || !a || !b || !pose || size < size_of(kind->query))
        return code(Status::kInvalidArgument);
    kind_of(query) = &kind->query;
    return code(
        kind->begin(memory_of(query), from_c<ShapeView>(a), from_c<ShapeView>(b), from_c<Pose>(pose), reach));
}

uint32_t espalier_cell_walk_step(espalier_query* query, const espalier_budget* budget,
                                 espalier_cell_operation operation, void* user) {
    if (!operation) return ESPALIER_UNRESOLVED;
    BudgetOf limits(budget);
    const auto* kind = kind_as<espalier_cell_walk_kind>(query);
    return static_cast<uint32_t>(kind->walk(memory_of(query), limits.limits(), operation, user));
}

void espalier_cell_walk_set_reach(espalier_query* query, double reach) {
    kind_as<espalier_cell_walk_kind>(query)->set_reach(memory_of(query), reach);
}

double espalier_cell_walk_triangle_distance(const espalier_query* query, uint32_t triangle_a,
                                            uint32_t triangle_b, double* point_a, double* point_b) {
    const auto* kind = kind_as<espalier_cell_walk_kind>(query);
    return kind->triangle_distance(memory_of(query), triangle_a, triangle_b, point_a, point_b);
}

}  // extern "C"
