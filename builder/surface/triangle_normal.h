// SPDX-License-Identifier: GPL-3.0-or-later
// Normal and area of a mesh's triangles.
#pragma once

#include <Eigen/Geometry>
#include <cstddef>

#include "builder/surface/triangle_mesh.h"

namespace espalier {

/// Normal of triangle `t` as long as twice its area, outward where corners run counter-clockwise.
inline Eigen::Vector3d area_normal(const TriangleMesh& mesh, std::size_t t) {
    return (mesh.corner(t, 1) - mesh.corner(t, 0)).cross(mesh.corner(t, 2) - mesh.corner(t, 0));
}

/// The same of length 1; along z for a triangle without area.
inline Eigen::Vector3d normal_of(const TriangleMesh& mesh, std::size_t t) {
    const Eigen::Vector3d normal = area_normal(mesh, t);
    const double length = normal.norm();
    return length > 0.0 ? Eigen::Vector3d(normal / length) : Eigen::Vector3d(Eigen::Vector3d::UnitZ());
}

inline double area_of(const TriangleMesh& mesh, std::size_t t) {
    return 0.5 * area_normal(mesh, t).norm();
}

}  // namespace espalier
