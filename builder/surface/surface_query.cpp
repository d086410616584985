// SPDX-License-Identifier: GPL-3.0-or-later
// Closest-point and segment queries on a mesh, over CGAL's AABB tree.
#include "builder/surface/surface_query.h"

#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/Simple_cartesian.h>

#include <Eigen/Geometry>

#include "builder/surface/surface_pieces.h"
#include "builder/surface/triangle_boxes.h"

namespace espalier {
namespace {

using Eigen::Vector3d;
// Answers are upper bounds or candidates, checked by their users, so inexact predicates serve.
using Kernel = CGAL::Simple_cartesian<double>;

Kernel::Point_3 to_cgal(const Vector3d& p) {
    return {p.x(), p.y(), p.z()};
}
Vector3d from_cgal(const Kernel::Point_3& p) {
    return {p.x(), p.y(), p.z()};
}

/// A triangle of a TriangleMesh, by index.
struct TrianglePrimitive {
    using Id = std::uint32_t;
    using Point = Kernel::Point_3;
    using Datum = Kernel::Triangle_3;
    using Shared_data = const TriangleMesh*;

    static Shared_data construct_shared_data(const TriangleMesh* mesh) { return mesh; }

    TrianglePrimitive() = default;
    TrianglePrimitive(std::vector<std::uint32_t>::const_iterator triangle, const TriangleMesh*)
        : triangle_(*triangle) {}

    Id id() const { return triangle_; }
    Datum datum(const TriangleMesh* mesh) const {
        return {to_cgal(mesh->corner(triangle_, 0)), to_cgal(mesh->corner(triangle_, 1)),
                to_cgal(mesh->corner(triangle_, 2))};
    }
    Point reference_point(const TriangleMesh* mesh) const { return to_cgal(mesh->corner(triangle_, 0)); }

  private:
    std::uint32_t triangle_ = 0;
};

using Traits = CGAL::AABB_traits<Kernel, TrianglePrimitive>;
using Tree = CGAL::AABB_tree<Traits>;

}  // namespace

struct SurfaceQuery::State {
    explicit State(const TriangleMesh& m) : mesh(&m), boxes(m), flat(m) {}

    const TriangleMesh* mesh;
    Tree tree;
    TriangleBoxes
        boxes;  ///< for balls, and for segments: CGAL's intersections fail here where rounding shows
    FlatTriangles flat;
};

SurfaceQuery::SurfaceQuery(const TriangleMesh& mesh) : state_(std::make_unique<State>(mesh)) {
    std::vector<std::uint32_t> all(mesh.triangles.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    state_->tree.insert(all.cbegin(), all.cend(), &mesh);
    state_->tree.build();
    state_->tree.do_not_accelerate_distance_queries();
}

SurfaceQuery::~SurfaceQuery() = default;

SurfaceQuery::Closest SurfaceQuery::closest(const Vector3d& point) const {
    const auto [nearest, triangle] = state_->tree.closest_point_and_primitive(to_cgal(point));
    const Vector3d p = from_cgal(nearest);
    return {p, triangle, (p - point).norm()};
}

SurfaceQuery::Closest SurfaceQuery::closest(const Vector3d& point, std::uint32_t hint) const {
    const TriangleMesh& mesh = *state_->mesh;
    const Vector3d start =
        closest_point_on_triangle(point, mesh.corner(hint, 0), mesh.corner(hint, 1), mesh.corner(hint, 2));
    const auto [nearest, triangle] = state_->tree.closest_point_and_primitive(
        to_cgal(point), Tree::Point_and_primitive_id(to_cgal(start), hint));
    const Vector3d p = from_cgal(nearest);
    return {p, triangle, (p - point).norm()};
}

std::vector<std::uint32_t> SurfaceQuery::triangles_near(const Vector3d& center, double radius) const {
    return state_->boxes.near_ball(center, radius);
}

std::vector<std::uint32_t> SurfaceQuery::few_triangles_near(const Vector3d& center, double radius,
                                                            std::size_t most) const {
    return state_->boxes.few_near_ball(center, radius, most);
}

const TriangleBoxes& SurfaceQuery::boxes() const {
    return state_->boxes;
}

const FlatTriangles& SurfaceQuery::flat() const {
    return state_->flat;
}

std::vector<SurfaceQuery::Hit> SurfaceQuery::segment_hits(const Vector3d& from, const Vector3d& to) const {
    std::vector<Hit> hits;
    const Vector3d along = to - from;
    for (const std::uint32_t t : state_->boxes.near_segment(from, to)) {
        const Vector3d a = state_->mesh->corner(t, 0);
        const Vector3d ab = state_->mesh->corner(t, 1) - a;
        const Vector3d ac = state_->mesh->corner(t, 2) - a;
        // Where along the segment, and where in the triangle (Moeller and Trumbore 1997).
        const Vector3d normal = along.cross(ac);
        const double determinant = ab.dot(normal);
        if (determinant == 0.0) continue;
        const Vector3d offset = from - a;
        const double u = offset.dot(normal) / determinant;
        const Vector3d side = offset.cross(ab);
        const double v = along.dot(side) / determinant;
        const double s = ac.dot(side) / determinant;
        if (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && s >= 0.0 && s <= 1.0)
            hits.push_back({t, a + u * ab + v * ac});
    }
    return hits;
}

}  // namespace espalier
