// SPDX-License-Identifier: GPL-3.0-or-later
// Distances between pieces of triangles and balls.
#include "builder/surface/surface_pieces.h"

namespace espalier {

using Eigen::Vector3d;

Vector3d closest_point_on_triangle(const Vector3d& p, const Vector3d& a, const Vector3d& b,
                                   const Vector3d& c) {
    const Vector3d ab = b - a;
    const Vector3d ac = c - a;
    const Vector3d ap = p - a;
    const double d1 = ab.dot(ap);
    const double d2 = ac.dot(ap);
    if (d1 <= 0.0 && d2 <= 0.0) return a;
    const Vector3d bp = p - b;
    const double d3 = ab.dot(bp);
    const double d4 = ac.dot(bp);
    if (d3 >= 0.0 && d4 <= d3) return b;
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return a + (d1 / (d1 - d3)) * ab;
    const Vector3d cp = p - c;
    const double d5 = ab.dot(cp);
    const double d6 = ac.dot(cp);
    if (d6 >= 0.0 && d5 <= d6) return c;
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return a + (d2 / (d2 - d6)) * ac;
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0.0 && (d4 - d3) >= 0.0 && (d5 - d6) >= 0.0)
        return b + ((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (c - b);
    const double denominator = va + vb + vc;
    return denominator > 0.0 ? Vector3d(a + ab * (vb / denominator) + ac * (vc / denominator)) : a;
}

bool piece_outside_ball(const Piece& piece, const Vector3d& center, double safe_radius) {
    const Vector3d nearest =
        closest_point_on_triangle(center, piece.corner[0], piece.corner[1], piece.corner[2]);
    const Vector3d direction = nearest - center;
    const double length = direction.norm();
    if (length <= safe_radius) return false;
    // The nearest point only suggests a direction; the plane through the ball's tangent decides, so a wrong
    // region in the closest-point test of a sliver cannot make a false claim. The factor covers the rounding
    // of the three products.
    const double bound = safe_radius * length * (1.0 + 1e-14) + 1e-15 * length * length;
    for (const Vector3d& corner : piece.corner)
        if (direction.dot(corner - center) <= bound) return false;
    return true;
}

}  // namespace espalier
