// SPDX-License-Identifier: MIT
// Sweep and prune.
#include "espalier/broad_phase.h"
#include "object.h"

using namespace espalier::c_api;
using espalier::BroadBox;
using espalier::Status;
using espalier::SweepAndPrune;

extern "C" {

size_t espalier_sweep_memory_size(uint32_t max_objects, uint32_t max_pairs) {
    return SweepAndPrune::memory_size(max_objects, max_pairs);
}

espalier_status espalier_sweep_begin(espalier_sweep* sweep, void* memory, size_t size, uint32_t max_objects,
                                     uint32_t max_pairs) {
    if (!sweep) return code(Status::kInvalidArgument);
    return code(made<SweepAndPrune>(sweep)->begin(memory, size, max_objects, max_pairs));
}

espalier_status espalier_sweep_set(espalier_sweep* sweep, uint32_t id, const espalier_broad_box* box) {
    if (!sweep || !box) return code(Status::kInvalidArgument);
    return code(inside<SweepAndPrune>(sweep)->set(id, from_c<BroadBox>(box)));
}

espalier_status espalier_sweep_remove(espalier_sweep* sweep, uint32_t id) {
    return code(inside<SweepAndPrune>(sweep)->remove(id));
}

espalier_status espalier_sweep_update(espalier_sweep* sweep) {
    return code(inside<SweepAndPrune>(sweep)->update());
}

uint32_t espalier_sweep_pair_count(const espalier_sweep* sweep) {
    return inside<SweepAndPrune>(sweep)->pair_count();
}

uint64_t espalier_sweep_pair_total(const espalier_sweep* sweep) {
    return inside<SweepAndPrune>(sweep)->pair_total();
}

espalier_broad_pair espalier_sweep_pair(const espalier_sweep* sweep, uint32_t index) {
    return to_c<espalier_broad_pair>(inside<SweepAndPrune>(sweep)->pair(index));
}

int espalier_sweep_contains(const espalier_sweep* sweep, uint32_t id) {
    return inside<SweepAndPrune>(sweep)->contains(id) ? 1 : 0;
}

espalier_broad_box espalier_sweep_box(const espalier_sweep* sweep, uint32_t id) {
    return to_c<espalier_broad_box>(inside<SweepAndPrune>(sweep)->box(id));
}

uint64_t espalier_sweep_moves(const espalier_sweep* sweep) {
    return inside<SweepAndPrune>(sweep)->moves();
}

int espalier_sweep_rebuilt(const espalier_sweep* sweep) {
    return inside<SweepAndPrune>(sweep)->rebuilt() ? 1 : 0;
}

}  // extern "C"
