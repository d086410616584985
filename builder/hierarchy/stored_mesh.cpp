// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/hierarchy/stored_mesh.h"

namespace espalier {

TriangleMesh stored_mesh(const ShapeView& part) {
    TriangleMesh mesh;
    mesh.positions.reserve(part.mesh.vertex_count);
    for (std::uint32_t v = 0; v < part.mesh.vertex_count; ++v) {
        const float* p = part.mesh.positions + std::size_t{3} * v;
        mesh.positions.emplace_back(p[0], p[1], p[2]);
    }
    mesh.triangles.reserve(part.mesh.triangle_count);
    for (std::uint32_t t = 0; t < part.mesh.triangle_count; ++t)
        mesh.triangles.push_back({part.mesh.index(t, 0), part.mesh.index(t, 1), part.mesh.index(t, 2)});
    return mesh;
}

}  // namespace espalier
