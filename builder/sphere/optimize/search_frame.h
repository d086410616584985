// SPDX-License-Identifier: GPL-3.0-or-later
// The coordinates of the sphere search: float32, about the middle of the mesh, in half diagonals.
#pragma once

#include <Eigen/Geometry>
#include <algorithm>

#include "builder/sphere/optimize/search_sphere.h"
#include "builder/surface/surface_pieces.h"

namespace espalier {

/// Rounding to float32 and the tolerance of CoverCounts, as a factor and in half diagonals: ancestors are
/// smaller by this, patches and spheres larger.
constexpr float kSearchSafe = 1.0F + 3e-6F;
constexpr float kSearchRounding = 4e-7F;

struct SearchFrame {
    Eigen::Vector3d origin = Eigen::Vector3d::Zero();
    double scale = 1.0;

    static SearchFrame of(const TriangleMesh& mesh) {
        Eigen::AlignedBox3d box;
        for (const auto& p : mesh.positions) box.extend(p.cast<double>());
        return {box.center(), std::max(0.5 * box.diagonal().norm(), 1e-300)};
    }

    Eigen::Vector3f to_search(const Eigen::Vector3d& point) const {
        return ((point - origin) / scale).cast<float>();
    }
    SearchSphere to_search(const Ball& ball) const {
        const Eigen::Vector3f center = to_search(ball.center);
        return {center.x(), center.y(), center.z(), static_cast<float>(ball.radius / scale)};
    }
    /// One that contains all that the other one counts as covering.
    Ball to_ball(const SearchSphere& sphere) const {
        return {origin + scale * Eigen::Vector3d(sphere.x, sphere.y, sphere.z),
                scale * double(sphere.radius * kSearchSafe + kSearchRounding)};
    }
};

}  // namespace espalier
