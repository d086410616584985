// SPDX-License-Identifier: GPL-3.0-or-later
// Points around a solid with their distances from it: how much a set of spheres protrudes, and how far, is a
// sum over those that it covers.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "builder/surface/solid.h"
#include "builder/surface/surface_query.h"

namespace espalier {

/// One point in each of the cells around a solid, which are larger where they are farther out. Neighbours
/// follow each other.
struct OutsideSamples {
    std::vector<Eigen::Vector3d> point;
    std::vector<float> distance;  ///< from the solid
    std::vector<float> volume;    ///< that the point stands for, in cells
    double width = 0.0;           ///< of a cell
};

/// About `count` samples up to the distance `max_distance` and a little beyond: evenly up to the distance
/// `near`, and farther out in cells as wide as they are far. `known` are samples of the same solid, or none:
/// where they reach as far, they tell how wide cells have to be, and no pilot is needed.
OutsideSamples sample_outside(const Solid& solid, const SurfaceQuery& query, double near, double max_distance,
                              std::size_t count, const OutsideSamples& known = {});

}  // namespace espalier
