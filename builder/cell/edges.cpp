// SPDX-License-Identifier: GPL-3.0-or-later
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <tuple>

#include "builder/cell/cell_tree.h"

namespace espalier {

std::vector<std::uint32_t> unique_edges(const TriangleMesh& mesh) {
    struct Side {
        std::uint32_t low, high, code;
        auto key() const { return std::tie(low, high, code); }
    };
    std::vector<Side> sides;
    sides.reserve(3 * mesh.triangles.size());
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
        for (std::uint32_t c = 0; c < 3; ++c) {
            const std::uint32_t from = mesh.triangles[t][c], to = mesh.triangles[t][(c + 1) % 3];
            sides.push_back({std::min(from, to), std::max(from, to), 3 * t + c});
        }
    tbb::parallel_sort(sides.begin(), sides.end(),
                       [](const Side& a, const Side& b) { return a.key() < b.key(); });
    std::vector<std::uint32_t> edges;
    for (std::size_t i = 0; i < sides.size(); ++i)
        if (i == 0 || sides[i].low != sides[i - 1].low || sides[i].high != sides[i - 1].high)
            edges.push_back(sides[i].code);
    std::sort(edges.begin(), edges.end());
    return edges;
}

}  // namespace espalier
