// SPDX-License-Identifier: GPL-3.0-or-later
// The boxes of a mesh's triangles, as the builds sort and divide them.
#pragma once

#include <Eigen/Geometry>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "builder/surface/triangle_mesh.h"

namespace espalier {

/// A triangle's box; kept together with its index so that a range is read in sequence.
struct TriangleBounds {
    Eigen::Vector3f lo, hi;
    std::uint32_t triangle;

    /// Twice the middle: halving would only rescale it.
    Eigen::Vector3f doubled_middle() const { return lo + hi; }
};

/// In triangles: parts of a mesh with fewer are not worth a task. A smaller number spreads small meshes over
/// more threads and pays more for the tasks; results do not depend on it.
constexpr std::size_t kTaskTriangles = 4096;

/// The exact boxes of all triangles, in their order.
std::vector<TriangleBounds> triangle_bounds(const TriangleMesh& mesh);

inline void extend(Eigen::AlignedBox3f& box, const TriangleBounds& triangle) {
    box.extend(triangle.lo);
    box.extend(triangle.hi);
}

/// The box around a range of triangles.
inline Eigen::AlignedBox3f box_around(std::span<const TriangleBounds> range) {
    Eigen::AlignedBox3f box;
    for (const TriangleBounds& triangle : range) extend(box, triangle);
    return box;
}

}  // namespace espalier
