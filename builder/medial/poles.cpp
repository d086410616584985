// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/medial/poles.h"

namespace espalier {

std::vector<std::uint32_t> poles_of(const MedialSet& set) {
    std::vector<std::uint32_t> poles(set.samples.size(), 0);
    std::vector<double> radius(set.samples.size(), -1.0);
    for (std::uint32_t b = 0; b < set.balls.size(); ++b) {
        for (const std::uint32_t s : set.balls[b].forming) {
            if (set.balls[b].radius > radius[s]) {
                radius[s] = set.balls[b].radius;
                poles[s] = b;
            }
        }
    }
    return poles;
}

}  // namespace espalier
