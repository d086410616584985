// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/exact.h"

#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Exact_rational.h>
#include <CGAL/Simple_cartesian.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <variant>

namespace espalier::testing {
namespace {

/// What three points span.
template <class Kernel>
using Hull = std::variant<typename Kernel::Point_3, typename Kernel::Segment_3, typename Kernel::Triangle_3>;

template <class Kernel>
Hull<Kernel> hull_of(const std::array<typename Kernel::Point_3, 3>& p) {
    if (!CGAL::collinear(p[0], p[1], p[2])) return typename Kernel::Triangle_3(p[0], p[1], p[2]);
    const auto ends = std::minmax_element(p.begin(), p.end());  // collinear: lexicographic order is order
    if (*ends.first == *ends.second) return p[0];
    return typename Kernel::Segment_3(*ends.first, *ends.second);
}

template <class Kernel>
std::array<typename Kernel::Point_3, 3> points_of(const Triangle3& t) {
    return {typename Kernel::Point_3(t.p[0][0], t.p[0][1], t.p[0][2]),
            typename Kernel::Point_3(t.p[1][0], t.p[1][1], t.p[1][2]),
            typename Kernel::Point_3(t.p[2][0], t.p[2][1], t.p[2][2])};
}

template <class Kernel>
bool hulls_meet(const Hull<Kernel>& a, const Hull<Kernel>& b) {
    return std::visit([](const auto& x, const auto& y) { return CGAL::do_intersect(x, y); }, a, b);
}

/// Squared distance of hulls that do not meet: between edges, or a corner and a face.
template <class Kernel>
typename Kernel::FT squared_gap(const std::array<typename Kernel::Point_3, 3>& a,
                                const std::array<typename Kernel::Point_3, 3>& b) {
    using Segment = typename Kernel::Segment_3;
    const Hull<Kernel> hull_a = hull_of<Kernel>(a), hull_b = hull_of<Kernel>(b);
    if (hulls_meet<Kernel>(hull_a, hull_b)) return 0;
    std::optional<typename Kernel::FT> least;
    const auto offer = [&least](const typename Kernel::FT& d) {
        if (!least || d < *least) least = d;
    };
    const auto edge_distance = [](const auto& p, const auto& q, const auto& r, const auto& s) {
        if (p == q && r == s) return CGAL::squared_distance(p, r);
        if (p == q) return CGAL::squared_distance(p, Segment(r, s));
        if (r == s) return CGAL::squared_distance(r, Segment(p, q));
        return CGAL::squared_distance(Segment(p, q), Segment(r, s));
    };
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) offer(edge_distance(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]));
    const auto corners_to_face = [&](const auto& corners, const Hull<Kernel>& face) {
        if (const auto* triangle = std::get_if<typename Kernel::Triangle_3>(&face))
            for (const auto& corner : corners) offer(CGAL::squared_distance(corner, *triangle));
    };
    corners_to_face(a, hull_b);
    corners_to_face(b, hull_a);
    return *least;
}

using Rational = CGAL::Simple_cartesian<CGAL::Exact_rational>;
using Lazy = CGAL::Exact_predicates_exact_constructions_kernel;

Eigen::Vector3d corner(const Triangle3& t, int i) {
    return {t.p[i][0], t.p[i][1], t.p[i][2]};
}

double overlap_along(const Triangle3& a, const Triangle3& b, const Eigen::Vector3d& axis) {
    double a_lo = INFINITY, a_hi = -INFINITY, b_lo = INFINITY, b_hi = -INFINITY;
    for (int i = 0; i < 3; ++i) {
        // Relative to a corner, so that a far position does not drown the overlap.
        const double x = axis.dot(corner(a, i) - corner(a, 0)), y = axis.dot(corner(b, i) - corner(a, 0));
        a_lo = std::min(a_lo, x);
        a_hi = std::max(a_hi, x);
        b_lo = std::min(b_lo, y);
        b_hi = std::max(b_hi, y);
    }
    return std::min(a_hi - b_lo, b_hi - a_lo);
}

/// A mesh placed exactly, with an enclosing box of every triangle in double.
struct PlacedMesh {
    std::vector<std::array<Lazy::Point_3, 3>> triangles;
    std::vector<std::array<double, 6>> boxes;  // lo, hi
};

/// Rows of the exact matrix of a pose, rotation times scale.
std::array<std::array<Lazy::FT, 3>, 3> exact_matrix(const Pose& pose) {
    const Lazy::FT w(pose.rotation[0]), x(pose.rotation[1]), y(pose.rotation[2]), z(pose.rotation[3]);
    const Lazy::FT n = w * w + x * x + y * y + z * z;
    std::array<std::array<Lazy::FT, 3>, 3> m = {
        {{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
         {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
         {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}}};
    for (auto& row : m)
        for (std::size_t k = 0; k < 3; ++k) {
            row[k] = row[k] * Lazy::FT(pose.scale[k]) / n;
            row[k].exact();  // once here instead of in every vertex
        }
    return m;
}

std::vector<Lazy::Point_3> source_points(const ShapeView& part) {
    std::vector<Lazy::Point_3> points;
    for (std::uint32_t v = 0; v < part.mesh.vertex_count; ++v) {
        const float* p = part.mesh.positions + 3 * std::size_t{v};
        points.emplace_back(Lazy::FT(double(p[0])) + Lazy::FT(part.origin[0]),
                            Lazy::FT(double(p[1])) + Lazy::FT(part.origin[1]),
                            Lazy::FT(double(p[2])) + Lazy::FT(part.origin[2]));
    }
    return points;
}

PlacedMesh assemble(const ShapeView& part, const std::vector<Lazy::Point_3>& points) {
    PlacedMesh placed;
    for (std::uint32_t t = 0; t < part.mesh.triangle_count; ++t) {
        placed.triangles.push_back(
            {points[part.mesh.index(t, 0)], points[part.mesh.index(t, 1)], points[part.mesh.index(t, 2)]});
        std::array<double, 6> box = {INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY};
        for (const Lazy::Point_3& p : placed.triangles.back())
            for (int k = 0; k < 3; ++k) {
                const auto [lo, hi] = CGAL::to_interval(p[k]);
                box[std::size_t(k)] = std::min(box[std::size_t(k)], lo);
                box[std::size_t(k) + 3] = std::max(box[std::size_t(k) + 3], hi);
            }
        placed.boxes.push_back(box);
    }
    return placed;
}

PlacedMesh place_a(const ShapeView& part) {
    return assemble(part, source_points(part));
}

PlacedMesh place_b(const ShapeView& part, const Pose& pose) {
    const auto m = exact_matrix(pose);
    std::vector<Lazy::Point_3> points = source_points(part);
    for (Lazy::Point_3& p : points) {
        const auto row = [&](std::size_t r) -> Lazy::FT {
            return m[r][0] * p.x() + m[r][1] * p.y() + m[r][2] * p.z() + Lazy::FT(pose.translation[r]);
        };
        p = Lazy::Point_3(row(0), row(1), row(2));
    }
    return assemble(part, points);
}

bool boxes_within(const std::array<double, 6>& a, const std::array<double, 6>& b, double gap) {
    for (std::size_t k = 0; k < 3; ++k)
        if (a[k] > b[k + 3] + gap || b[k] > a[k + 3] + gap) return false;
    return true;
}

}  // namespace

bool exact_intersect(const Triangle3& a, const Triangle3& b) {
    using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
    return hulls_meet<Kernel>(hull_of<Kernel>(points_of<Kernel>(a)), hull_of<Kernel>(points_of<Kernel>(b)));
}

double exact_distance(const Triangle3& a, const Triangle3& b) {
    return std::sqrt(CGAL::to_double(squared_gap<Rational>(points_of<Rational>(a), points_of<Rational>(b))));
}

double exact_distance(const Triangle3& a, const double* point) {
    Triangle3 b;
    for (auto& p : b.p)
        for (int k = 0; k < 3; ++k) p[k] = point[k];
    return exact_distance(a, b);
}

double penetration_bound(const Triangle3& a, const Triangle3& b) {
    std::vector<Eigen::Vector3d> axes;
    std::array<Eigen::Vector3d, 3> edge_a, edge_b;
    for (int i = 0; i < 3; ++i) {
        edge_a[std::size_t(i)] = corner(a, (i + 1) % 3) - corner(a, i);
        edge_b[std::size_t(i)] = corner(b, (i + 1) % 3) - corner(b, i);
    }
    axes.push_back(edge_a[0].cross(edge_a[1]));
    axes.push_back(edge_b[0].cross(edge_b[1]));
    for (const Eigen::Vector3d& x : edge_a)
        for (const Eigen::Vector3d& y : edge_b) axes.push_back(x.cross(y));
    for (int k = 0; k < 3; ++k) axes.push_back(Eigen::Vector3d::Unit(k));
    double least = INFINITY;
    for (const Eigen::Vector3d& axis : axes) {
        const double length = axis.norm();
        if (length > 0) least = std::min(least, overlap_along(a, b, axis / length));
    }
    return least;
}

std::vector<TrianglePair> exact_mesh_contacts(const ShapeView& a, const ShapeView& b, const Pose& pose) {
    const PlacedMesh mesh_a = place_a(a), mesh_b = place_b(b, pose);
    std::vector<TrianglePair> contacts;
    for (std::uint32_t i = 0; i < mesh_a.triangles.size(); ++i)
        for (std::uint32_t j = 0; j < mesh_b.triangles.size(); ++j) {
            if (!boxes_within(mesh_a.boxes[i], mesh_b.boxes[j], 0)) continue;
            if (hulls_meet<Lazy>(hull_of<Lazy>(mesh_a.triangles[i]), hull_of<Lazy>(mesh_b.triangles[j])))
                contacts.emplace_back(i, j);
        }
    return contacts;
}

double exact_mesh_distance(const ShapeView& a, const ShapeView& b, const Pose& pose, double beyond) {
    const PlacedMesh mesh_a = place_a(a), mesh_b = place_b(b, pose);
    double least = beyond;
    for (std::uint32_t i = 0; i < mesh_a.triangles.size(); ++i)
        for (std::uint32_t j = 0; j < mesh_b.triangles.size(); ++j)
            if (boxes_within(mesh_a.boxes[i], mesh_b.boxes[j], least))
                least = std::min(
                    least,
                    std::sqrt(CGAL::to_double(squared_gap<Lazy>(mesh_a.triangles[i], mesh_b.triangles[j]))));
    return least;
}

}  // namespace espalier::testing
