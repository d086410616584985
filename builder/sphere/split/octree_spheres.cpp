// SPDX-License-Identifier: GPL-3.0-or-later
// Octants that the surface occupies.
#include "builder/sphere/split/octree_spheres.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

namespace espalier {

using Eigen::Vector3d;

Octant root_octant(std::vector<Piece> pieces) {
    assert(!pieces.empty());
    Vector3d low = Vector3d::Constant(std::numeric_limits<double>::infinity());
    Vector3d high = -low;
    for (const Piece& piece : pieces) {
        for (const Vector3d& corner : piece.corner) {
            low = low.cwiseMin(corner);
            high = high.cwiseMax(corner);
        }
    }
    return {0.5 * (low + high), 0.5 * (high - low).maxCoeff(), std::move(pieces)};
}

Ball octant_ball(const Octant& octant) {
    return {octant.center, std::sqrt(3.0) * octant.half};
}

std::vector<Octant> occupied_octants(const Octant& octant) {
    std::array<Octant, 8> parts;
    for (std::size_t i = 0; i < 8; ++i) {
        parts[i].half = 0.5 * octant.half;
        parts[i].center =
            octant.center + parts[i].half * Vector3d((i & 1) ? 1 : -1, (i & 2) ? 1 : -1, (i & 4) ? 1 : -1);
    }
    const auto side = [&](const Vector3d& p) {
        return std::size_t(p.x() > octant.center.x()) | std::size_t(p.y() > octant.center.y()) << 1 |
               std::size_t(p.z() > octant.center.z()) << 2;
    };
    const double smallest = octant.half / 32.0;
    std::vector<Piece> stack;
    for (const Piece& piece : octant.pieces) {
        stack.assign(1, piece);
        while (!stack.empty()) {
            const Piece top = stack.back();
            stack.pop_back();
            const std::size_t a = side(top.corner[0]);
            const bool together = a == side(top.corner[1]) && a == side(top.corner[2]);
            if (together || longest_edge_squared(top) <= smallest * smallest) {
                const Vector3d middle = (top.corner[0] + top.corner[1] + top.corner[2]) / 3.0;
                parts[together ? a : side(middle)].pieces.push_back(top);
                continue;
            }
            const auto halves = bisect(top);
            stack.push_back(halves[1]);
            stack.push_back(halves[0]);
        }
    }
    std::vector<Octant> occupied;
    for (Octant& part : parts)
        if (!part.pieces.empty()) occupied.push_back(std::move(part));
    return occupied;
}

}  // namespace espalier
