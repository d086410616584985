// SPDX-License-Identifier: MIT
// Triangle against triangle in double precision.
// Intersection: separating axes of two convex polygons (Gottschalk 1996, "Separating axis theorem"): a
// computed axis needs no accuracy, only the projections on it do, so one rounding bound per axis makes the
// test robust. Distance: closest features (Ericson 2005, "Real-Time Collision Detection", 5.1.5 and 5.1.9).
#include "triangle_pair.h"

#include <cmath>

#include "../base/assert.h"

namespace espalier {
namespace {

/// Projections sum three products of coordinates; 8 * 2^-53 bounds their relative error with room to spare.
constexpr double kProjectionError = 8.0 / 9007199254740992.0;

/// Sine of the smallest angle below which a triangle is handled as a segment.
constexpr double kSliverSine = 1e-10;

struct Vec {
    double x, y, z;
};
Vec load(const double* p) {
    return {p[0], p[1], p[2]};
}
void store(double* p, Vec v) {
    p[0] = v.x;
    p[1] = v.y;
    p[2] = v.z;
}
Vec operator+(Vec a, Vec b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
Vec operator-(Vec a, Vec b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Vec operator*(Vec a, double s) {
    return {a.x * s, a.y * s, a.z * s};
}
double dot(Vec a, Vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
Vec cross(Vec a, Vec b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
double squared(Vec a) {
    return dot(a, a);
}
double larger(double a, double b) {
    return a > b ? a : b;
}
double max_abs(Vec a) {
    const double x = std::fabs(a.x), y = std::fabs(a.y), z = std::fabs(a.z);
    return x > y ? (x > z ? x : z) : (y > z ? y : z);
}
double clamp01(double x) {
    return x < 0 ? 0 : (x > 1 ? 1 : x);
}

/// A triangle with its edges and (unnormalised) normal.
struct Face {
    Vec p[3];
    Vec edge[3];
    Vec normal;
    bool sliver;
};

Face make_face(const Triangle3& t, Vec origin) {
    Face f;
    for (int i = 0; i < 3; ++i) f.p[i] = load(t.p[i]) - origin;
    for (int i = 0; i < 3; ++i) f.edge[i] = f.p[(i + 1) % 3] - f.p[i];
    f.normal = cross(f.edge[0], f.edge[1]);
    const double longest = larger(squared(f.edge[0]), larger(squared(f.edge[1]), squared(f.edge[2])));
    f.sliver = squared(f.normal) <= kSliverSine * kSliverSine * longest * longest;
    return f;
}

double reach(const Face& a, const Face& b) {
    double r = 0;
    for (int i = 0; i < 3; ++i) r = larger(r, larger(max_abs(a.p[i]), max_abs(b.p[i])));
    return r;
}

void project(const Face& f, Vec axis, double* lo, double* hi) {
    const double a = dot(axis, f.p[0]), b = dot(axis, f.p[1]), c = dot(axis, f.p[2]);
    *lo = a < b ? (a < c ? a : c) : (b < c ? b : c);
    *hi = a > b ? (a > c ? a : c) : (b > c ? b : c);
}

bool separates(const Face& a, const Face& b, Vec axis, double reach) {
    double a_lo, a_hi, b_lo, b_hi;
    project(a, axis, &a_lo, &a_hi);
    project(b, axis, &b_lo, &b_hi);
    const double error =
        2 * kProjectionError * reach * (std::fabs(axis.x) + std::fabs(axis.y) + std::fabs(axis.z));
    return a_lo - b_hi > error || b_lo - a_hi > error;
}

/// Points of two segments that are nearest to each other; returns their squared distance.
double segment_segment(Vec p, Vec d, Vec q, Vec e, Vec* on_p, Vec* on_q) {
    const Vec r = p - q;
    const double dd = dot(d, d), ee = dot(e, e), er = dot(e, r);
    double s = 0, t = 0;
    if (dd > 0 && ee > 0) {
        const double dr = dot(d, r), de = dot(d, e);
        const double denominator = dd * ee - de * de;
        s = denominator > 0 ? clamp01((de * er - dr * ee) / denominator) : 0;
        t = (de * s + er) / ee;
        if (t < 0 || t > 1) {
            t = clamp01(t);
            s = clamp01((de * t - dr) / dd);
        }
    } else if (ee > 0) {
        t = clamp01(er / ee);
    } else if (dd > 0) {
        s = clamp01(-dot(d, r) / dd);
    }
    *on_p = p + d * s;
    *on_q = q + e * t;
    return squared(*on_p - *on_q);
}

/// Whether the foot of `q` on the face's plane lies inside the face.
bool foot_inside(const Face& f, Vec q) {
    for (int i = 0; i < 3; ++i)
        if (dot(cross(f.normal, f.edge[i]), q - f.p[i]) < 0) return false;
    return true;
}

/// Keeps the nearest pair of points found.
struct Nearest {
    double squared_distance = -1;
    Vec on_a{}, on_b{};

    void offer(double d2, Vec a, Vec b) {
        if (squared_distance >= 0 && d2 >= squared_distance) return;
        squared_distance = d2;
        on_a = a;
        on_b = b;
    }
};

/// Where the segment crosses the face's interior, if it does.
bool pierces(Vec p, Vec q, const Face& f, Vec* where) {
    if (f.sliver) return false;
    const double hp = dot(f.normal, p - f.p[0]), hq = dot(f.normal, q - f.p[0]);
    if ((hp > 0) == (hq > 0) || hp == hq) return false;
    const Vec crossing = p + (q - p) * clamp01(hp / (hp - hq));
    if (!foot_inside(f, crossing)) return false;
    *where = crossing;
    return true;
}

/// Up to two crossings of edges with faces; returns how many.
int edge_crossings(const Face& a, const Face& b, Vec* found) {
    int count = 0;
    for (int i = 0; i < 3 && count < 2; ++i)
        if (pierces(a.p[i], a.p[(i + 1) % 3], b, &found[count])) ++count;
    for (int i = 0; i < 3 && count < 2; ++i)
        if (pierces(b.p[i], b.p[(i + 1) % 3], a, &found[count])) ++count;
    return count;
}

Nearest nearest_features(const Face& a, const Face& b) {
    Nearest best;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            Vec on_a, on_b;
            const double d2 = segment_segment(a.p[i], a.edge[i], b.p[j], b.edge[j], &on_a, &on_b);
            best.offer(d2, on_a, on_b);
        }
    for (int i = 0; i < 3; ++i) {
        if (!b.sliver && foot_inside(b, a.p[i])) {
            const double h = dot(b.normal, a.p[i] - b.p[0]) / squared(b.normal);
            const Vec foot = a.p[i] - b.normal * h;
            best.offer(squared(a.p[i] - foot), a.p[i], foot);
        }
        if (!a.sliver && foot_inside(a, b.p[i])) {
            const double h = dot(a.normal, b.p[i] - a.p[0]) / squared(a.normal);
            const Vec foot = b.p[i] - a.normal * h;
            best.offer(squared(b.p[i] - foot), foot, b.p[i]);
        }
    }
    return best;
}

Nearest nearest_points(const Face& a, const Face& b) {
    Vec crossing[2];
    if (edge_crossings(a, b, crossing) > 0) {
        Nearest touching;
        touching.offer(0, crossing[0], crossing[0]);
        return touching;
    }
    return nearest_features(a, b);
}

bool separated_by_axes(const Face& a, const Face& b, double r) {
    if (separates(a, b, a.normal, r) || separates(a, b, b.normal, r)) return true;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            if (separates(a, b, cross(a.edge[i], b.edge[j]), r)) return true;
    // Coplanar triangles are separated in their plane only.
    for (int i = 0; i < 3; ++i)
        if (separates(a, b, cross(a.normal, a.edge[i]), r) || separates(a, b, cross(b.normal, b.edge[i]), r))
            return true;
    return false;
}

}  // namespace

bool triangles_intersect(const Triangle3& ta, const Triangle3& tb) {
    // Relative to a corner of A, so that rounding scales with the triangles and not with their position.
    const Vec origin = load(ta.p[0]);
    const Face a = make_face(ta, origin), b = make_face(tb, origin);
    const double r = reach(a, b);
    if (separated_by_axes(a, b, r)) return false;
    if (!a.sliver && !b.sliver) return true;
    const double tolerance = 16 * kProjectionError * r;
    return nearest_points(a, b).squared_distance <= tolerance * tolerance;
}

double triangle_distance(const Triangle3& ta, const Triangle3& tb, double* point_a, double* point_b) {
    const Vec origin = load(ta.p[0]);
    const Nearest nearest = nearest_points(make_face(ta, origin), make_face(tb, origin));
    store(point_a, nearest.on_a + origin);
    store(point_b, nearest.on_b + origin);
    return std::sqrt(nearest.squared_distance);
}

void intersection_witness(const Triangle3& ta, const Triangle3& tb, double* point, double* normal) {
    ESPALIER_ASSERT(triangles_intersect(ta, tb));
    const Vec origin = load(ta.p[0]);
    const Face a = make_face(ta, origin), b = make_face(tb, origin);
    Vec crossing[2];
    const int count = edge_crossings(a, b, crossing);
    Vec where;
    if (count == 2) {
        where = (crossing[0] + crossing[1]) * 0.5;
    } else if (count == 1) {
        where = crossing[0];
    } else {
        const Nearest nearest = nearest_features(a, b);
        where = (nearest.on_a + nearest.on_b) * 0.5;
    }
    store(point, where + origin);
    const Vec n = a.sliver ? b.normal : a.normal;
    const double length = std::sqrt(squared(n));
    store(normal, length > 0 ? n * (1 / length) : Vec{0, 0, 1});
}

void closest_point_on_triangle(const Triangle3& t, const double* q, double* nearest) {
    const Vec origin = load(t.p[0]);
    const Face f = make_face(t, origin);
    const Vec p = load(q) - origin;
    Nearest best;
    if (!f.sliver && foot_inside(f, p)) {
        const Vec foot = p - f.normal * (dot(f.normal, p) / squared(f.normal));
        best.offer(squared(p - foot), foot, p);
    } else {
        for (int i = 0; i < 3; ++i) {
            const double ee = squared(f.edge[i]);
            const double s = ee > 0 ? clamp01(dot(f.edge[i], p - f.p[i]) / ee) : 0;
            const Vec foot = f.p[i] + f.edge[i] * s;
            best.offer(squared(p - foot), foot, p);
        }
    }
    store(nearest, best.on_a + origin);
}

}  // namespace espalier
