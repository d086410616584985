// SPDX-License-Identifier: GPL-3.0-or-later
// Protocols C and F: placements at prescribed gaps, found with our exact distance.
#include <cstdio>

#include "bench/protocols/protocols.h"
#include "bench/protocols/random.h"

namespace espalier_bench {
namespace {

/// Moves a copy in along a line through the first one's centre until the distance is `gap` to one percent. A
/// step by the excess can never pass the first such place. False when the line misses.
bool approach(const ModelData& model, Library& reference, Draw& draw, double gap, Placement& found) {
    double q[4], line[3];
    draw.rotation(q);
    draw.direction(line);
    double at = model.diagonal + 2 * gap;
    for (int i = 0; i < 200 && at > -model.diagonal; ++i) {
        const double offset[3] = {at * line[0], at * line[1], at * line[2]};
        found = place(model, q, offset);
        const double excess = reference.distance(found) - gap;
        if (excess <= 0.01 * gap) return excess >= -0.01 * gap;
        at -= excess;
    }
    return false;
}

PoseSet at_gaps(PoseSet set, const ModelData& model, Library& reference, const std::vector<double>& percents,
                std::size_t per_gap, std::uint64_t seed) {
    for (const double percent : percents) {
        Draw draw(seed);  // the same lines for every gap
        char name[32];
        std::snprintf(name, sizeof name, "gap %g %%", percent);
        std::size_t count = 0;
        for (std::size_t tries = 0; count < per_gap && tries < 10 * per_gap; ++tries) {
            Placement placement;
            if (!approach(model, reference, draw, percent / 100 * model.diagonal, placement)) continue;
            set.placements.push_back(placement);
            ++count;
        }
        set.groups.push_back({name, percent, count});
    }
    return set;
}

}  // namespace

PoseSet near_misses(const ModelData& model, Library& reference, std::size_t per_gap) {
    return at_gaps({"C", "near misses at prescribed gaps", Job::kMisses, {}, {}}, model, reference,
                   {0.1, 0.2, 0.5, 1, 2}, per_gap, 3);
}

PoseSet distances(const ModelData& model, Library& reference, std::size_t per_gap) {
    return at_gaps({"F", "distance", Job::kDistance, {}, {}}, model, reference, {1, 10, 50}, per_gap, 6);
}

}  // namespace espalier_bench
