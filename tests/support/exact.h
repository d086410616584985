// SPDX-License-Identifier: GPL-3.0-or-later
// The reference: what is true of triangles and placed meshes, by CGAL's exact arithmetic.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "espalier/asset.h"
#include "espalier/pose.h"
#include "runtime/src/triangle/triangle_pair.h"

namespace espalier::testing {

/// Whether the closed triangles share a point, exactly; degenerate ones are the segments and points that they
/// are.
bool exact_intersect(const Triangle3& a, const Triangle3& b);

/// Least distance, exact up to the final rounding to double.
double exact_distance(const Triangle3& a, const Triangle3& b);
double exact_distance(const Triangle3& a, const double* point);

/// An upper bound of the length of the shortest translation that parts two intersecting triangles: the least
/// overlap along the face normals and the edge pairs' common normals.
double penetration_bound(const Triangle3& a, const Triangle3& b);

/// A pair of triangles: of A, of B.
using TrianglePair = std::pair<std::uint32_t, std::uint32_t>;

/// All pairs that intersect when B is placed by `pose` without any rounding (a quaternion's rotation matrix
/// is rational), sorted.
std::vector<TrianglePair> exact_mesh_contacts(const ShapeView& a, const ShapeView& b, const Pose& pose);

/// The exact least distance of two placed meshes over the pairs whose boxes are at most `beyond` apart; that
/// much if there is none.
double exact_mesh_distance(const ShapeView& a, const ShapeView& b, const Pose& pose, double beyond);

}  // namespace espalier::testing
