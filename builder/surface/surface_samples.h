// SPDX-License-Identifier: GPL-3.0-or-later
// Points spread evenly over a mesh: where the medial axis is measured from (Hubbard 1996, section 5.1).
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "builder/surface/triangle_mesh.h"

namespace espalier {

struct SurfaceSample {
    Eigen::Vector3d point;
    Eigen::Vector3d normal;  ///< of the triangle, unit length
    std::uint32_t triangle;
};

struct SampleOptions {
    std::uint32_t count = 5000;   ///< wanted; sharp features may need a few more
    double sharp_degrees = 40.0;  ///< edges that bend more than this, and open ones, get samples of their own
    std::uint64_t seed = 1;
};

/// Blue-noise samples: corners of sharp features first, then points along sharp edges, then darts on the
/// faces, no two closer than the spacing that the count asks for (unless they are on opposite sides of a thin
/// part).
std::vector<SurfaceSample> sample_surface(const TriangleMesh& mesh, const SampleOptions& options);

/// The spacing that `count` samples have on a surface of this area.
double sample_spacing(double area, std::uint32_t count);

double surface_area(const TriangleMesh& mesh);

}  // namespace espalier
