// SPDX-License-Identifier: GPL-3.0-or-later
// Delaunay triangulation by CGAL with exact predicates; circumcentres in double precision where that is
// enough, in rational numbers where it is not.
#include "builder/medial/voronoi.h"

#include <CGAL/Delaunay_triangulation_3.h>
#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Triangulation_cell_base_with_info_3.h>
#include <CGAL/Triangulation_vertex_base_with_info_3.h>
#include <tbb/parallel_for.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace espalier {
namespace {

using Eigen::Vector3d;

/// How far a computed centre may be off, in radii, before it is computed exactly. Larger, and spheres of four
/// nearly coplanar points hold other points; smaller, and rounding sends good ones to slow arithmetic. Equal
/// distances to the four would not do: along the axis of a flat tetrahedron they hardly change.
constexpr double kCenterError = 1e-9;

using Corners = std::array<Vector3d, 4>;

struct Circumsphere {
    Vector3d center;
    double radius;
};

Circumsphere sphere_around(const Vector3d& center, const Corners& corners) {
    double most = 0.0;
    for (const Vector3d& corner : corners) most = std::max(most, (corner - center).norm());
    return {center, most};
}

/// In double precision; none if rounding may have moved the centre by more than kCenterError.
std::optional<Circumsphere> quick_circumsphere(const Corners& corners) {
    constexpr double kUlp = std::numeric_limits<double>::epsilon();
    const Vector3d a = corners[1] - corners[0];
    const Vector3d b = corners[2] - corners[0];
    const Vector3d c = corners[3] - corners[0];
    const Vector3d ab = a.cross(b);
    const double volume = c.dot(ab);
    const double aa = a.squaredNorm(), bb = b.squaredNorm(), cc = c.squaredNorm();
    const Vector3d offset = (aa * b.cross(c) + bb * c.cross(a) + cc * ab) / (2.0 * volume);
    const Circumsphere sphere = sphere_around(corners[0] + offset, corners);
    // A dozen roundings a term, and those of the differences where the corners are far from the origin.
    double magnitude = 0.0;
    for (const Vector3d& corner : corners) magnitude = std::max(magnitude, corner.cwiseAbs().maxCoeff());
    const double product = std::sqrt(aa * bb * cc);
    const double shortest = std::sqrt(std::min({aa, bb, cc}));
    const double terms =
        product * (std::sqrt(aa) + std::sqrt(bb) + std::sqrt(cc) + 2.0 * sphere.radius) / (2.0 * volume);
    const double error = 12.0 * kUlp * (1.0 + magnitude / shortest) * std::abs(terms);
    if (std::isfinite(error) && error <= kCenterError * sphere.radius) return sphere;
    return std::nullopt;
}

/// The circumscribed sphere; none if the corners lie in a plane, or so nearly that its centre is beyond all
/// numbers.
std::optional<Circumsphere> circumsphere(const Corners& corners) {
    if (auto quick = quick_circumsphere(corners)) return quick;
    using Exact = CGAL::Exact_predicates_exact_constructions_kernel;
    std::array<Exact::Point_3, 4> p;
    for (std::size_t i = 0; i < 4; ++i) p[i] = Exact::Point_3(corners[i].x(), corners[i].y(), corners[i].z());
    if (CGAL::coplanar(p[0], p[1], p[2], p[3])) return std::nullopt;
    const auto center = CGAL::exact(CGAL::circumcenter(p[0], p[1], p[2], p[3]));
    const Circumsphere sphere = sphere_around(
        {CGAL::to_double(center.x()), CGAL::to_double(center.y()), CGAL::to_double(center.z())}, corners);
    if (!sphere.center.allFinite() || !std::isfinite(sphere.radius)) return std::nullopt;
    return sphere;
}

}  // namespace

std::vector<VoronoiVertex> voronoi_vertices(const std::vector<Vector3d>& points) {
    using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
    using VertexBase = CGAL::Triangulation_vertex_base_with_info_3<std::uint32_t, Kernel>;
    using CellBase =
        CGAL::Triangulation_cell_base_with_info_3<std::int32_t, Kernel,
                                                  CGAL::Delaunay_triangulation_cell_base_3<Kernel>>;
    using Structure = CGAL::Triangulation_data_structure_3<VertexBase, CellBase>;
    using Delaunay = CGAL::Delaunay_triangulation_3<Kernel, Structure>;

    std::vector<std::pair<Kernel::Point_3, std::uint32_t>> input;
    input.reserve(points.size());
    for (std::uint32_t i = 0; i < points.size(); ++i)
        input.emplace_back(Kernel::Point_3(points[i].x(), points[i].y(), points[i].z()), i);
    const Delaunay delaunay(input.begin(), input.end());
    std::vector<VoronoiVertex> vertices;
    if (delaunay.dimension() < 3) return vertices;
    struct Entry {
        std::array<std::uint32_t, 4> forming;
        Delaunay::Cell_handle cell;
    };
    std::vector<Entry> entries;
    for (auto cell = delaunay.all_cells_begin(); cell != delaunay.all_cells_end(); ++cell) {
        cell->info() = -1;
        if (!delaunay.is_infinite(cell)) {
            Entry entry{{}, cell};
            for (int i = 0; i < 4; ++i) entry.forming[static_cast<std::size_t>(i)] = cell->vertex(i)->info();
            std::sort(entry.forming.begin(), entry.forming.end());
            entries.push_back(entry);
        }
    }
    // CGAL's order depends on its containers; the forming points name a cell.
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return a.forming < b.forming; });
    // From the points in sorted order, so that the rounding does not depend on CGAL's order either.
    std::vector<std::optional<Circumsphere>> spheres(entries.size());
    tbb::parallel_for(std::size_t(0), entries.size(), [&](std::size_t i) {
        const auto& f = entries[i].forming;
        spheres[i] = circumsphere({points[f[0]], points[f[1]], points[f[2]], points[f[3]]});
    });
    std::int32_t count = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) entries[i].cell->info() = spheres[i] ? count++ : -1;
    vertices.reserve(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (!spheres[i]) continue;
        VoronoiVertex vertex{spheres[i]->center, spheres[i]->radius, entries[i].forming, {}};
        for (int k = 0; k < 4; ++k)
            vertex.neighbour[static_cast<std::size_t>(k)] = entries[i].cell->neighbor(k)->info();
        std::sort(vertex.neighbour.begin(), vertex.neighbour.end());
        vertices.push_back(vertex);
    }
    return vertices;
}

}  // namespace espalier
