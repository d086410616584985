// SPDX-License-Identifier: GPL-3.0-or-later
// Protocol B: the tumbling turn of Zachmann 2002, section 5.
#include <cstdio>

#include "bench/protocols/protocols.h"
#include "bench/protocols/random.h"

namespace espalier_bench {

PoseSet tumbling_turn(const ModelData& model, std::size_t steps) {
    PoseSet set{"B", "tumbling turn at decreasing distance", Job::kFirst, {}, {}};
    const double unit = model.extent / 2;  // the paper's objects fit a cube of size 2
    for (const double distance : {2.2, 2.0, 1.8, 1.6, 1.4, 1.2, 1.0, 0.8}) {
        char name[32];
        std::snprintf(name, sizeof name, "distance %.1f", distance);
        set.groups.push_back({name, distance, steps});
        for (std::size_t i = 0; i < steps; ++i) {
            const double half = 3.141592653589793 * double(i) / double(steps);
            const double c = std::cos(half), s = std::sin(half);
            const double q[4] = {c * c, s * c, s * s, c * s};  // about x, then about z, by the same angle
            const double offset[3] = {unit * distance, 0, 0};
            set.placements.push_back(place(model, q, offset));
        }
    }
    return set;
}

}  // namespace espalier_bench
