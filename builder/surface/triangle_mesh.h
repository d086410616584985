// SPDX-License-Identifier: GPL-3.0-or-later
// The clean mesh that every hierarchy is built from.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <vector>

namespace espalier {

/// Corner indices of one triangle.
using Triangle = std::array<std::uint32_t, 3>;

/// Triangles over float32 positions, exactly as they are stored in an asset. Everything that `sanitize`
/// returns satisfies: coordinates finite, indices in range, at least one triangle, no triangle of zero area,
/// no two triangles with the same three corners, no unreferenced vertex.
struct TriangleMesh {
    std::vector<Eigen::Vector3f> positions;  ///< of the vertices
    std::vector<Triangle> triangles;         ///< of the leaf's list

    /// Corner `corner` (0..2) of triangle `triangle`, widened exactly.
    Eigen::Vector3d corner(std::size_t triangle, std::size_t corner) const {
        return positions[triangles[triangle][corner]].cast<double>();
    }
};

}  // namespace espalier
