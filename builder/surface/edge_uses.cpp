// SPDX-License-Identifier: GPL-3.0-or-later
// One record for each side of each triangle, sorted.
#include "builder/surface/edge_uses.h"

#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include <tuple>

namespace espalier {

std::vector<EdgeUse> sorted_edge_uses(const TriangleMesh& mesh) {
    std::vector<EdgeUse> uses(3 * mesh.triangles.size());
    tbb::parallel_for(std::size_t{0}, mesh.triangles.size(), [&](std::size_t t) {
        const Triangle& triangle = mesh.triangles[t];
        for (std::uint8_t edge = 0; edge < 3; ++edge) {
            const std::uint64_t from = triangle[edge], to = triangle[(edge + 1u) % 3];
            const bool reversed = from > to;
            uses[3 * t + edge] = {reversed ? to << 32 | from : from << 32 | to, static_cast<std::uint32_t>(t),
                                  edge, reversed};
        }
    });
    tbb::parallel_sort(uses.begin(), uses.end(), [](const EdgeUse& x, const EdgeUse& y) {
        return std::tie(x.ends, x.triangle, x.edge) < std::tie(y.ends, y.triangle, y.edge);
    });
    return uses;
}

}  // namespace espalier
