// SPDX-License-Identifier: MIT
// Two triangles: do they share a point, where, and if not how far apart are they. Double precision: the path
// to which the float filters escalate.
#pragma once

namespace espalier {

struct Triangle3 {
    double p[3][3];
};

/// True when the closed triangles share a point, up to double rounding (about 1e-14 of their size): touching
/// counts. Degenerate triangles (segments, points) are what they are.
bool triangles_intersect(const Triangle3& a, const Triangle3& b);

/// Least distance of the closed triangles, and a pair of points that attains it (0: the two are equal up to
/// rounding and lie in both).
double triangle_distance(const Triangle3& a, const Triangle3& b, double* point_a, double* point_b);

/// A point of both and the unit normal of A's triangle (of B's if A has none). Precondition: they intersect.
void intersection_witness(const Triangle3& a, const Triangle3& b, double* point, double* normal);

/// Point of the closed triangle that is nearest to `q`.
void closest_point_on_triangle(const Triangle3& t, const double* q, double* nearest);

}  // namespace espalier
