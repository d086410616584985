// SPDX-License-Identifier: GPL-3.0-or-later
// What the search for the spheres of a level moves, and the surfels that they cover. Lengths are in the
// search's own coordinates, see search_frame.h.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>

namespace espalier {

/// A sphere in the search's own coordinates; one of negative radius covers nothing.
struct SearchSphere {
    float x = 0.0F;
    float y = 0.0F;
    float z = 0.0F;
    float radius = -1.0F;

    bool empty() const { return radius < 0.0F; }
};

/// Squared distances up to this count as covered: they are float32.
inline float cover_limit(const SearchSphere& sphere) {
    const float radius = sphere.radius * (1.0F + 1e-6F);
    return radius * radius;
}

inline float squared_distance(const Eigen::Vector3f& p, const SearchSphere& sphere) {
    const float dx = p.x() - sphere.x;
    const float dy = p.y() - sphere.y;
    const float dz = p.z() - sphere.z;
    return dx * dx + dy * dy + dz * dz;
}

inline float squared_distance(const SearchSphere& a, const SearchSphere& b) {
    return squared_distance(Eigen::Vector3f(a.x, a.y, a.z), b);
}

/// A small disc of the surface (Pfister et al. 2000); with no normal, a small ball.
struct Surfel {
    Eigen::Vector3f center = Eigen::Vector3f::Zero();
    Eigen::Vector3f normal = Eigen::Vector3f::Zero();
    float radius = 0.0F;
};

/// The square of the radius that a sphere about `from` needs to cover the surfel. One that is seen along
/// its normal needs hardly more than its centre does.
inline float squared_radius_to_cover(const SearchSphere& from, const Surfel& surfel) {
    const float dx = surfel.center.x() - from.x;
    const float dy = surfel.center.y() - from.y;
    const float dz = surfel.center.z() - from.z;
    const float squared = squared_distance(surfel.center, from);
    const float height = surfel.normal.x() * dx + surfel.normal.y() * dy + surfel.normal.z() * dz;
    const float across = std::sqrt(std::max(0.0F, squared - height * height));
    return squared + surfel.radius * (surfel.radius + 2.0F * across);
}

/// A sphere of the level that is being fitted: one type from the level above until all are covered.
struct CandidateSphere {
    SearchSphere sphere;       ///< empty: a free slot
    std::uint32_t parent = 0;  ///< the sphere above whose child it is
    bool fixed = false;        ///< stays as it is: the only child of its parent, and the same sphere
};

}  // namespace espalier
