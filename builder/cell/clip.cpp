// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/cell/clip.h"

#include <cmath>
#include <limits>

namespace espalier {
namespace {

float rounded_down(double x) {
    const auto f = static_cast<float>(x);
    return double(f) > x ? std::nextafter(f, -std::numeric_limits<float>::infinity()) : f;
}

float rounded_up(double x) {
    const auto f = static_cast<float>(x);
    return double(f) < x ? std::nextafter(f, std::numeric_limits<float>::infinity()) : f;
}

}  // namespace

ClippedPolygon clip_polygon(const ClippedPolygon& polygon, int axis, double bound, bool upper) {
    ClippedPolygon kept;
    const auto inside = [&](const Eigen::Vector3d& p) { return upper ? p[axis] <= bound : p[axis] >= bound; };
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Eigen::Vector3d& p = polygon[i];
        const Eigen::Vector3d& q = polygon[(i + 1) % polygon.size()];
        if (inside(p)) kept.push_back(p);
        if (inside(p) == inside(q)) continue;
        Eigen::Vector3d crossing = p + (q - p) * ((bound - p[axis]) / (q[axis] - p[axis]));
        crossing[axis] = bound;
        kept.push_back(crossing);
    }
    return kept;
}

bool clipped_bounds(std::span<const Eigen::Vector3d> corners, const CellVolume& cell, double slack,
                    Eigen::Vector3f* lo, Eigen::Vector3f* hi) {
    ClippedPolygon polygon(corners.begin(), corners.end());
    for (int k = 0; k < 3 && !polygon.empty(); ++k) {
        polygon = clip_polygon(polygon, k, double(cell.lo[k]) - slack, false);
        polygon = clip_polygon(polygon, k, double(cell.hi[k]) + slack, true);
    }
    if (polygon.empty()) return false;
    Eigen::Vector3d least = polygon.front(), most = least;
    for (const Eigen::Vector3d& p : polygon) {
        least = least.cwiseMin(p);
        most = most.cwiseMax(p);
    }
    for (int k = 0; k < 3; ++k) {
        (*lo)[k] = rounded_down(least[k] - slack);
        (*hi)[k] = rounded_up(most[k] + slack);
    }
    return true;
}

}  // namespace espalier
