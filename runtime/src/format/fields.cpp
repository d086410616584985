// SPDX-License-Identifier: MIT
#include "fields.h"

#include "../base/assert.h"

namespace espalier {

bool read_per_triangle(const Table& table, std::uint32_t id, std::uint32_t triangle_count,
                       const std::uint32_t** entries) {
    const VectorRange range = table.words(id);
    *entries = elements_of<std::uint32_t>(range);
    return !range.broken() && (!range.valid() || range.count == triangle_count);
}

bool proper_box(const float* lo, const float* hi) {
    for (int k = 0; k < 3; ++k)
        if (!finite(lo[k]) || !finite(hi[k]) || !(lo[k] <= hi[k])) return false;
    return true;
}

bool entries_below(const std::uint32_t* list, std::uint32_t count, std::uint32_t limit) {
    ESPALIER_ASSERT(limit > 0);
    return largest_index(list, count) < limit;
}

}  // namespace espalier
