// SPDX-License-Identifier: GPL-3.0-or-later
// The sum of the tetrahedra that the triangles make with one point.
#include "builder/surface/mesh_volume.h"

#include <Eigen/Geometry>

namespace espalier {

double signed_volume(const TriangleMesh& mesh) {
    if (mesh.triangles.empty()) return 0;
    // Relative to a vertex: the mesh may be far from the origin, where volumes would cancel.
    const Eigen::Vector3d base = mesh.corner(0, 0);
    double six_volumes = 0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const Eigen::Vector3d a = mesh.corner(t, 0) - base, b = mesh.corner(t, 1) - base,
                              c = mesh.corner(t, 2) - base;
        six_volumes += a.dot(b.cross(c));
    }
    return six_volumes / 6;
}

}  // namespace espalier
