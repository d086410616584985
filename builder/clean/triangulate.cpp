// SPDX-License-Identifier: GPL-3.0-or-later
// Polygons to triangles by CGAL's constrained Delaunay triangulation (Shewchuk 1996; Chew 1989 for the
// constrained kind).
#include "builder/clean/triangulate.h"

#include <CGAL/Constrained_Delaunay_triangulation_2.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Triangulation_face_base_with_info_2.h>
#include <CGAL/Triangulation_vertex_base_with_info_2.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>
#include <span>
#include <utility>

namespace espalier {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point2 = Kernel::Point_2;
using VertexBase = CGAL::Triangulation_vertex_base_with_info_2<std::uint32_t, Kernel>;
// A face's info: how often one crosses the outline to get there from outside; -1 unknown.
using FaceBase =
    CGAL::Triangulation_face_base_with_info_2<int, Kernel,
                                              CGAL::Constrained_triangulation_face_base_2<Kernel>>;
using Structure = CGAL::Triangulation_data_structure_2<VertexBase, FaceBase>;
using Delaunay =
    CGAL::Constrained_Delaunay_triangulation_2<Kernel, Structure,
                                               CGAL::No_constraint_intersection_requiring_constructions_tag>;
using VertexHandle = Delaunay::Vertex_handle;
using FaceHandle = Delaunay::Face_handle;

using Polygon = std::span<const std::uint32_t>;

// The polygon's plane coordinates: two of the three, unchanged, in the order that keeps its orientation
// positive.
struct Projection {
    int x = 0, y = 1;
    Point2 operator()(const Eigen::Vector3d& point) const { return {point[x], point[y]}; }
};

// Newell's normal: robust for any outline; relative to the first corner against cancellation far from the
// origin.
std::optional<Projection> best_projection(const PolygonSoup& soup, Polygon polygon) {
    const Eigen::Vector3d base = soup.points[polygon[0]];
    Eigen::Vector3d normal = Eigen::Vector3d::Zero();
    Eigen::Vector3d previous = soup.points[polygon.back()] - base;
    for (const std::uint32_t corner : polygon) {
        const Eigen::Vector3d next = soup.points[corner] - base;
        normal += previous.cross(next);
        previous = next;
    }
    int axis = 0;
    if (std::abs(normal[1]) > std::abs(normal[axis])) axis = 1;
    if (std::abs(normal[2]) > std::abs(normal[axis])) axis = 2;
    if (normal[axis] == 0) return std::nullopt;
    Projection projection{(axis + 1) % 3, (axis + 2) % 3};
    if (normal[axis] < 0) std::swap(projection.x, projection.y);
    return projection;
}

void append_fan(Polygon polygon, std::vector<Triangle>& triangles) {
    for (std::size_t i = 2; i < polygon.size(); ++i)
        triangles.push_back({polygon[0], polygon[i - 1], polygon[i]});
}

// Whether the fan from corner 0 is a triangulation: every triangle turns left, all within the half plane left
// of the first edge, so that they cannot wrap around.
bool is_fan(const PolygonSoup& soup, Polygon polygon, const Projection& project) {
    const Point2 origin = project(soup.points[polygon[0]]);
    const Point2 first = project(soup.points[polygon[1]]);
    Point2 previous = first;
    for (std::size_t i = 2; i < polygon.size(); ++i) {
        const Point2 next = project(soup.points[polygon[i]]);
        if (CGAL::orientation(origin, previous, next) != CGAL::LEFT_TURN) return false;
        if (i > 2 && CGAL::orientation(origin, first, next) != CGAL::LEFT_TURN) return false;
        previous = next;
    }
    return true;
}

// The constrained triangulation of one polygon's projection.
class Splitter {
  public:
    Splitter(const PolygonSoup& soup, Polygon polygon, const Projection& project)
        : soup_(soup), polygon_(polygon), project_(project) {}

    /// False: the outline crosses itself, or two corners coincide in the projection only.
    bool run(std::vector<Triangle>& triangles) {
        return insert_corners() && insert_edges() && append_inside(triangles);
    }

  private:
    bool insert_corner(std::size_t index, FaceHandle hint);
    bool insert_corners();
    bool insert_edges();
    bool append_inside(std::vector<Triangle>& triangles);
    void mark(FaceHandle seed, int depth, std::vector<std::pair<FaceHandle, int>>& border);

    const PolygonSoup& soup_;
    Polygon polygon_;
    Projection project_;
    Delaunay delaunay_;
    std::vector<VertexHandle> handles_;
};

bool Splitter::insert_corner(std::size_t index, FaceHandle hint) {
    const std::uint32_t corner = polygon_[index];
    const std::size_t before = delaunay_.number_of_vertices();
    const VertexHandle handle = delaunay_.insert(project_(soup_.points[corner]), hint);
    handles_[index] = handle;
    if (delaunay_.number_of_vertices() > before) handle->info() = corner;
    return soup_.points[handle->info()] == soup_.points[corner];
}

// Coarse to fine along the outline, each from the corner halfway back: points that come in the order of the
// outline would take quadratic time, for each lies outside of the hull of those before it.
bool Splitter::insert_corners() {
    handles_.resize(polygon_.size());
    if (!insert_corner(0, FaceHandle())) return false;
    for (std::size_t step = std::bit_floor(polygon_.size()); step > 0; step /= 2)
        for (std::size_t i = step; i < polygon_.size(); i += 2 * step)
            if (!insert_corner(i, handles_[i - step]->face())) return false;
    return delaunay_.dimension() == 2;
}

bool Splitter::insert_edges() {
    // An edge that is walked in both directions joins a hole to the outline and bounds nothing; one that is
    // walked twice in the same direction belongs to no sensible outline.
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> walks;
    for (std::size_t i = 0; i < handles_.size(); ++i) {
        const std::uint32_t from = handles_[i]->info();
        const std::uint32_t to = handles_[(i + 1) % handles_.size()]->info();
        if (from != to && ++walks[{from, to}] > 1) return false;
    }
    for (std::size_t i = 0; i < handles_.size(); ++i) {
        const VertexHandle from = handles_[i];
        const VertexHandle to = handles_[(i + 1) % handles_.size()];
        if (from == to || walks.contains({to->info(), from->info()})) continue;
        try {
            delaunay_.insert_constraint(from, to);
        } catch (const Delaunay::Intersection_of_constraints_exception&) {
            return false;
        }
    }
    return true;
}

// Gives `depth` to all faces around `seed` within the outline; collects what lies beyond it.
void Splitter::mark(FaceHandle seed, int depth, std::vector<std::pair<FaceHandle, int>>& border) {
    std::vector<FaceHandle> open{seed};
    seed->info() = depth;
    while (!open.empty()) {
        const FaceHandle face = open.back();
        open.pop_back();
        for (int side = 0; side < 3; ++side) {
            const FaceHandle other = face->neighbor(side);
            if (face->is_constrained(side)) {
                border.emplace_back(other, depth + 1);
            } else if (other->info() < 0) {
                other->info() = depth;
                open.push_back(other);
            }
        }
    }
}

bool Splitter::append_inside(std::vector<Triangle>& triangles) {
    for (const FaceHandle face : delaunay_.all_face_handles()) face->info() = -1;
    std::vector<std::pair<FaceHandle, int>> border;
    mark(delaunay_.infinite_face(), 0, border);
    for (std::size_t i = 0; i < border.size(); ++i) {
        const auto [face, depth] = border[i];
        if (face->info() < 0) mark(face, depth, border);
    }
    const std::size_t first = triangles.size();
    for (const FaceHandle face : delaunay_.finite_face_handles()) {
        if (face->info() % 2 == 0) continue;
        Triangle triangle{face->vertex(0)->info(), face->vertex(1)->info(), face->vertex(2)->info()};
        std::rotate(triangle.begin(), std::min_element(triangle.begin(), triangle.end()), triangle.end());
        triangles.push_back(triangle);
    }
    // The triangulation's own order depends on how it stores its faces.
    std::sort(triangles.begin() + static_cast<std::ptrdiff_t>(first), triangles.end());
    return triangles.size() > first;
}

// Corners without immediate repetitions.
void collapse_repeated(const PolygonSoup& soup, Polygon polygon, std::vector<std::uint32_t>& out) {
    out.clear();
    const auto same = [&](std::uint32_t a, std::uint32_t b) {
        return a == b || soup.points[a] == soup.points[b];
    };
    for (const std::uint32_t corner : polygon)
        if (out.empty() || !same(out.back(), corner)) out.push_back(corner);
    while (out.size() > 1 && same(out.front(), out.back())) out.pop_back();
}

}  // namespace

Triangulation triangulate(const PolygonSoup& soup) {
    Triangulation result;
    result.triangles.reserve(soup.polygon_count());
    std::vector<std::uint32_t> collapsed;
    for (std::size_t i = 0; i < soup.polygon_count(); ++i) {
        Polygon polygon = soup.polygon(i);
        if (polygon.size() > 3) {
            collapse_repeated(soup, polygon, collapsed);
            polygon = collapsed;
        }
        if (polygon.size() < 3) {
            ++result.degenerate_polygons;
            continue;
        }
        if (polygon.size() == 3) {
            append_fan(polygon, result.triangles);
            continue;
        }
        const auto projection = best_projection(soup, polygon);
        if (projection && is_fan(soup, polygon, *projection)) {
            append_fan(polygon, result.triangles);
        } else if (!projection || !Splitter(soup, polygon, *projection).run(result.triangles)) {
            ++result.crossing_polygons;
            append_fan(polygon, result.triangles);
        }
    }
    return result;
}

}  // namespace espalier
