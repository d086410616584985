// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/exact_part.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Exact_rational.h>
#include <CGAL/Simple_cartesian.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "tests/support/brute_force.h"
#include "tests/support/draw.h"

namespace espalier::testing {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;
using Rational = CGAL::Simple_cartesian<CGAL::Exact_rational>;
using Corners = std::array<Point, 3>;

Point point_of(const double* p) {
    return Point(p[0], p[1], p[2]);
}

/// On which side of the line through `from` and `to` the three edges pass.
std::array<CGAL::Orientation, 3> line_sides(const Point& from, const Point& to, const Corners& t) {
    return {CGAL::orientation(from, to, t[0], t[1]), CGAL::orientation(from, to, t[1], t[2]),
            CGAL::orientation(from, to, t[2], t[0])};
}

bool mixed(const std::array<CGAL::Orientation, 3>& sides) {
    const auto [least, most] = std::minmax_element(sides.begin(), sides.end());
    return *least == CGAL::NEGATIVE && *most == CGAL::POSITIVE;
}

Rational::Point_3 exact(const Point& p) {
    return {p.x(), p.y(), p.z()};
}

/// Parameter at which the line from `from` by `to - from` crosses the plane; none when it lies in it.
std::optional<double> exact_parameter(const Point& from, const Point& to, const Corners& t) {
    const Rational::Point_3 origin = exact(t[0]);
    const Rational::Vector_3 normal = CGAL::cross_product(exact(t[1]) - origin, exact(t[2]) - origin);
    const Rational::FT speed = normal * (exact(to) - exact(from));
    if (speed == 0) return std::nullopt;
    return CGAL::to_double(Rational::FT(normal * (origin - exact(from)) / speed));
}

}  // namespace

struct ExactPart::Geometry {
    std::vector<Triangle3> triangles;
    std::vector<Corners> corners;
    double size = 0;
};

ExactPart::ExactPart(const ShapeView& part) : geometry_(std::make_unique<Geometry>()) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> balance;
    for (std::uint32_t i = 0; i < part.mesh.triangle_count; ++i) {
        Triangle3 t;
        for (std::uint32_t c = 0; c < 3; ++c) {
            for (int k = 0; k < 3; ++k) {
                t.p[c][k] = double(part.mesh.corner(i, c)[k]);
                geometry_->size = std::max(geometry_->size, std::abs(t.p[c][k]));
            }
            const std::uint32_t from = part.mesh.index(i, c), to = part.mesh.index(i, (c + 1) % 3);
            balance[std::minmax(from, to)] += from < to ? 1 : -1;
        }
        geometry_->triangles.push_back(t);
        geometry_->corners.push_back({point_of(t.p[0]), point_of(t.p[1]), point_of(t.p[2])});
    }
    closed_ = std::all_of(balance.begin(), balance.end(), [](const auto& edge) { return edge.second == 0; });
}

ExactPart::~ExactPart() = default;

std::vector<ExactPart::Hit> ExactPart::ray_hits(const Ray& ray) const {
    double end[3];
    for (int k = 0; k < 3; ++k) end[k] = ray.origin[k] + ray.direction[k];
    const Point from = point_of(ray.origin), to = point_of(end);
    std::vector<Hit> hits;
    for (std::uint32_t i = 0; i < geometry_->corners.size(); ++i) {
        const Corners& t = geometry_->corners[i];
        if (mixed(line_sides(from, to, t))) continue;
        if (!CGAL::do_intersect(Kernel::Ray_3(from, to), Kernel::Triangle_3(t[0], t[1], t[2]))) continue;
        const std::optional<double> at = exact_parameter(from, to, t);
        if (at && *at <= ray.max_t) hits.push_back({*at, i});
    }
    return hits;
}

std::string ExactPart::doubt_closest(const double* point, const ClosestPoint& claim) const {
    const Eigen::Vector3d from(point), to(claim.point);
    const double rounding = 1e-12 * std::max(geometry_->size, from.cwiseAbs().maxCoeff());
    const double needed = claim.distance * (1 - kDistancePromise / 10) - rounding;
    if (std::abs((to - from).norm() - claim.distance) > rounding) return "the point is not that far away";
    if (point_gap(geometry_->triangles[claim.triangle], claim.point) > rounding)
        return "the point is off its triangle";
    Triangle3 dot;
    for (auto& p : dot.p) std::copy(point, point + 3, p);
    for (std::uint32_t i = 0; i < geometry_->triangles.size(); ++i) {
        const Triangle3& t = geometry_->triangles[i];
        double nearest[3];
        if (slab_parts(dot, t, point, claim.point, needed)) continue;
        closest_point_on_triangle(t, point, nearest);
        if (slab_parts(dot, t, point, nearest, needed)) continue;
        if (exact_distance(t, point) < claim.distance * (1 - kDistancePromise) - rounding)
            return "triangle " + std::to_string(i) + " is nearer";
    }
    return "";
}

bool ExactPart::inside(const double* point) const {
    const Point p = point_of(point);
    Draw draw(1);
    for (;;) {
        const Eigen::Vector3d away = draw.direction() * geometry_->size;
        const Point to(p.x() + away.x(), p.y() + away.y(), p.z() + away.z());
        int winding = 0;
        bool unclear = false;
        for (const Corners& t : geometry_->corners) {
            const std::array<CGAL::Orientation, 3> sides = line_sides(p, to, t);
            if (mixed(sides)) continue;
            const CGAL::Orientation above = CGAL::orientation(t[0], t[1], t[2], p);
            if (above == CGAL::ZERO && !CGAL::collinear(t[0], t[1], t[2]) &&
                Kernel::Triangle_3(t[0], t[1], t[2]).has_on(p))
                return true;
            // A line through an edge or corner counts it twice or not at all: take another.
            if (std::count(sides.begin(), sides.end(), CGAL::ZERO) > 0)
                unclear = true;
            else if (sides[0] * above == CGAL::NEGATIVE)
                winding += sides[0];
        }
        if (!unclear) return winding != 0;
    }
}

}  // namespace espalier::testing
