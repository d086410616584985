// SPDX-License-Identifier: MIT
// Space-time bounds.
#include "espalier/broad_phase.h"
#include "object.h"

using namespace espalier::c_api;
using espalier::Motion;
using espalier::SpaceTimeBounds;
using espalier::Status;

extern "C" {

double espalier_earliest_contact(const espalier_motion* a, const espalier_motion* b, double limit) {
    return espalier::earliest_contact(from_c<Motion>(a), from_c<Motion>(b), limit);
}

espalier_broad_box espalier_reach_box(const espalier_motion* motion, double duration) {
    return to_c<espalier_broad_box>(espalier::reach_box(from_c<Motion>(motion), duration));
}

size_t espalier_space_time_memory_size(uint32_t max_objects, uint32_t max_pairs) {
    return SpaceTimeBounds::memory_size(max_objects, max_pairs);
}

espalier_status espalier_space_time_begin(espalier_space_time* bounds, void* memory, size_t size,
                                          uint32_t max_objects, uint32_t max_pairs, double horizon) {
    if (!bounds) return code(Status::kInvalidArgument);
    return code(made<SpaceTimeBounds>(bounds)->begin(memory, size, max_objects, max_pairs, horizon));
}

espalier_status espalier_space_time_set(espalier_space_time* bounds, uint32_t id, double time,
                                        const espalier_motion* motion) {
    if (!bounds || !motion) return code(Status::kInvalidArgument);
    return code(inside<SpaceTimeBounds>(bounds)->set(id, time, from_c<Motion>(motion)));
}

espalier_status espalier_space_time_remove(espalier_space_time* bounds, uint32_t id) {
    return code(inside<SpaceTimeBounds>(bounds)->remove(id));
}

espalier_status espalier_space_time_advance(espalier_space_time* bounds, double until) {
    return code(inside<SpaceTimeBounds>(bounds)->advance(until));
}

uint32_t espalier_space_time_due_count(const espalier_space_time* bounds) {
    return inside<SpaceTimeBounds>(bounds)->due_count();
}

espalier_broad_pair espalier_space_time_due(const espalier_space_time* bounds, uint32_t index) {
    return to_c<espalier_broad_pair>(inside<SpaceTimeBounds>(bounds)->due(index));
}

double espalier_space_time_quiet_until(const espalier_space_time* bounds) {
    return inside<SpaceTimeBounds>(bounds)->quiet_until();
}

uint32_t espalier_space_time_examined(const espalier_space_time* bounds) {
    return inside<SpaceTimeBounds>(bounds)->examined();
}

uint32_t espalier_space_time_pair_count(const espalier_space_time* bounds) {
    return inside<SpaceTimeBounds>(bounds)->pair_count();
}

uint32_t espalier_space_time_renewed(const espalier_space_time* bounds) {
    return inside<SpaceTimeBounds>(bounds)->renewed();
}

}  // extern "C"
