// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/surface/triangle_mesh.h"

#include <Eigen/Geometry>

namespace espalier {

Eigen::Vector3d TriangleMesh::normal(std::size_t triangle) const {
    const Eigen::Vector3d cross =
        (corner(triangle, 1) - corner(triangle, 0)).cross(corner(triangle, 2) - corner(triangle, 0));
    const double length = cross.norm();
    return length > 0.0 ? Eigen::Vector3d(cross / length) : Eigen::Vector3d(Eigen::Vector3d::UnitZ());
}

double TriangleMesh::area(std::size_t triangle) const {
    return 0.5 * (corner(triangle, 1) - corner(triangle, 0))
                     .cross(corner(triangle, 2) - corner(triangle, 0))
                     .norm();
}

}  // namespace espalier
