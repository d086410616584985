// SPDX-License-Identifier: GPL-3.0-or-later
// Which triangles use which edges.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "builder/surface/triangle_mesh.h"

namespace espalier {

/// One triangle's use of an undirected edge.
struct EdgeUse {
    std::uint64_t ends;      ///< the smaller vertex in the upper half, the larger in the lower
    std::uint32_t triangle;  ///< that has the edge
    std::uint8_t edge;       ///< from that corner of the triangle to the next
    bool reversed;           ///< runs from the larger vertex to the smaller
};

/// All of them, those of one edge side by side, by triangle and corner. The same for any thread count.
std::vector<EdgeUse> sorted_edge_uses(const TriangleMesh& mesh);

/// Calls `visit(uses of one edge)` for every edge, as long as it returns true; returns whether it always did.
template <class Visit>
bool for_each_edge(std::span<const EdgeUse> sorted, Visit visit) {
    for (std::size_t begin = 0; begin < sorted.size();) {
        std::size_t end = begin + 1;
        while (end < sorted.size() && sorted[end].ends == sorted[begin].ends) ++end;
        if (!visit(sorted.subspan(begin, end - begin))) return false;
        begin = end;
    }
    return true;
}

}  // namespace espalier
