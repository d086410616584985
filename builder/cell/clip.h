// SPDX-License-Identifier: GPL-3.0-or-later
// Pieces of triangles and edges inside cells.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "runtime/src/cell/codec.h"

namespace espalier {

/// A convex polygon, segment or point; empty when nothing is left.
using ClippedPolygon = std::vector<Eigen::Vector3d>;

/// Keeps what lies at or below (`upper`) or at or above `bound` along `axis` (Sutherland and Hodgman 1974).
/// New corners are off by a few roundings of double.
ClippedPolygon clip_polygon(const ClippedPolygon& polygon, int axis, double bound, bool upper);

/// Bounds of the part of a triangle (three corners) or edge (two) inside a cell, rounded outward: `slack` is
/// what clipping in double may be off by. False when nothing is inside.
bool clipped_bounds(std::span<const Eigen::Vector3d> corners, const CellVolume& cell, double slack,
                    Eigen::Vector3f* lo, Eigen::Vector3f* hi);

}  // namespace espalier
