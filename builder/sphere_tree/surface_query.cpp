// SPDX-License-Identifier: GPL-3.0-or-later
// Closest-point and segment queries on a mesh, over CGAL's AABB tree.
#include "builder/sphere_tree/surface_query.h"

#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/Simple_cartesian.h>

#include <iterator>

#include "builder/sphere_tree/surface_pieces.h"

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
    const TriangleMesh* mesh;
    Tree tree;
};

SurfaceQuery::SurfaceQuery(const TriangleMesh& mesh) : state_(std::make_unique<State>()) {
    state_->mesh = &mesh;
    std::vector<std::uint32_t> all(mesh.triangles.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) {
        all[i] = i;
    }
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

std::vector<SurfaceQuery::Hit> SurfaceQuery::segment_hits(const Vector3d& from, const Vector3d& to) const {
    std::vector<Hit> hits;
    using Intersection = Tree::Intersection_and_primitive_id<Kernel::Segment_3>::Type;
    std::vector<Intersection> found;
    state_->tree.all_intersections(Kernel::Segment_3(to_cgal(from), to_cgal(to)), std::back_inserter(found));
    for (const Intersection& one : found) {
        if (const auto* point = boost::get<Kernel::Point_3>(&one.first)) {
            hits.push_back({one.second, from_cgal(*point)});
        }
    }
    return hits;
}

}  // namespace espalier
