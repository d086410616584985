// SPDX-License-Identifier: GPL-3.0-or-later
// Delaunay triangulation by CGAL with exact predicates; circumcentres in double precision.
#include "builder/medial/voronoi.h"

#include <CGAL/Delaunay_triangulation_3.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Triangulation_cell_base_with_info_3.h>
#include <CGAL/Triangulation_vertex_base_with_info_3.h>

#include <algorithm>

namespace espalier {

using Eigen::Vector3d;

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
    for (std::size_t i = 0; i < entries.size(); ++i) entries[i].cell->info() = static_cast<std::int32_t>(i);
    vertices.resize(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
        // From the points in sorted order, so that the rounding does not depend on CGAL's order either.
        const auto& f = entries[i].forming;
        const Kernel::Point_3 center =
            CGAL::circumcenter(input[f[0]].first, input[f[1]].first, input[f[2]].first, input[f[3]].first);
        VoronoiVertex& vertex = vertices[i];
        vertex.center = {center.x(), center.y(), center.z()};
        vertex.radius = (vertex.center - points[f[0]]).norm();
        vertex.forming = f;
        for (int k = 0; k < 4; ++k)
            vertex.neighbour[static_cast<std::size_t>(k)] = entries[i].cell->neighbor(k)->info();
        std::sort(vertex.neighbour.begin(), vertex.neighbour.end());
    }
    return vertices;
}

}  // namespace espalier
