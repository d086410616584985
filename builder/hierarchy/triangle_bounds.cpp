// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/hierarchy/triangle_bounds.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace espalier {

std::vector<TriangleBounds> triangle_bounds(const TriangleMesh& mesh) {
    std::vector<TriangleBounds> bounds(mesh.triangles.size());
    const tbb::blocked_range<std::size_t> all(0, bounds.size(), kTaskTriangles);
    tbb::parallel_for(all, [&](const auto& range) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) {
            const Triangle& t = mesh.triangles[i];
            const auto &a = mesh.positions[t[0]], &b = mesh.positions[t[1]], &c = mesh.positions[t[2]];
            bounds[i] = {a.cwiseMin(b).cwiseMin(c), a.cwiseMax(b).cwiseMax(c), static_cast<std::uint32_t>(i)};
        }
    });
    return bounds;
}

}  // namespace espalier
