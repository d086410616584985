// SPDX-License-Identifier: GPL-3.0-or-later
// The boundary of triangles as a chain: edges count as often as they are used more in one direction, so that
// as many leave a vertex as arrive, whatever the mesh.
#include "builder/surface/holes.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <utility>

#include "builder/surface/edge_uses.h"

namespace espalier {
namespace {

using Eigen::Vector3d;
using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using DirectedEdge = std::pair<std::uint32_t, std::uint32_t>;

/// The edges that are missing, sorted.
std::vector<DirectedEdge> missing_edges(const TriangleMesh& mesh) {
    std::vector<DirectedEdge> edges;
    for_each_edge(sorted_edge_uses(mesh), [&](std::span<const EdgeUse> uses) {
        std::int64_t more = 0;  // from the smaller vertex to the larger than back
        for (const EdgeUse& use : uses) more += use.reversed ? -1 : 1;
        const auto low = static_cast<std::uint32_t>(uses[0].ends >> 32);
        const auto high = static_cast<std::uint32_t>(uses[0].ends);
        for (; more > 0; --more) edges.emplace_back(high, low);
        for (; more < 0; ++more) edges.emplace_back(low, high);
        return true;
    });
    std::sort(edges.begin(), edges.end());
    return edges;
}

bool on_a_line(const TriangleMesh& mesh, const Triangle& t) {
    const auto point = [&](std::size_t i) {
        const Eigen::Vector3f& p = mesh.positions[t[i]];
        return Kernel::Point_3(double(p.x()), double(p.y()), double(p.z()));
    };
    return CGAL::collinear(point(0), point(1), point(2));
}

double distance_from_segment(const Vector3d& p, const Vector3d& a, const Vector3d& b) {
    const Vector3d along = b - a;
    const double squared = along.squaredNorm();
    const double at = squared > 0.0 ? std::clamp((p - a).dot(along) / squared, 0.0, 1.0) : 0.0;
    return (p - (a + at * along)).norm();
}

}  // namespace

std::vector<Hole> holes_of(const TriangleMesh& mesh) {
    const std::vector<DirectedEdge> edges = missing_edges(mesh);
    std::vector<std::uint8_t> used(edges.size(), 0);
    std::vector<Hole> holes;
    std::vector<std::uint32_t> on_way(edges.empty() ? 0 : mesh.positions.size(), 0);  // 1 + place on it
    for (std::size_t start = 0; start < edges.size(); ++start) {
        if (used[start]) continue;
        std::vector<std::uint32_t> way = {edges[start].first};
        on_way[way.front()] = 1;
        // As many edges leave a vertex as arrive: the way ends only where it began.
        while (!way.empty()) {
            auto next = static_cast<std::size_t>(
                std::lower_bound(edges.begin(), edges.end(), DirectedEdge(way.back(), 0u)) - edges.begin());
            while (next < edges.size() && edges[next].first == way.back() && used[next]) ++next;
            if (next == edges.size() || edges[next].first != way.back()) {
                on_way[way.back()] = 0;
                way.pop_back();
                continue;
            }
            used[next] = 1;
            const std::uint32_t to = edges[next].second;
            if (on_way[to] == 0) {
                way.push_back(to);
                on_way[to] = static_cast<std::uint32_t>(way.size());
                continue;
            }
            // What leads from there to here is a loop.
            const auto first = way.begin() + static_cast<std::ptrdiff_t>(on_way[to] - 1);
            holes.emplace_back(first, way.end());
            for (auto v = first + 1; v != way.end(); ++v) on_way[*v] = 0;
            way.erase(first + 1, way.end());
        }
    }
    return holes;
}

double boundary_length(const TriangleMesh& mesh, const Hole& hole) {
    double length = 0.0;
    for (std::size_t i = 0; i < hole.size(); ++i)
        length += (mesh.positions[hole[(i + 1) % hole.size()]].cast<double>() -
                   mesh.positions[hole[i]].cast<double>())
                      .norm();
    return length;
}

Caps fill_holes(const TriangleMesh& mesh, const std::vector<Hole>& holes) {
    Caps caps;
    caps.closed = mesh;
    for (const Hole& hole : holes) {
        Vector3d sum = Vector3d::Zero();
        for (const std::uint32_t v : hole) sum += mesh.positions[v].cast<double>();
        const auto middle = static_cast<std::uint32_t>(caps.closed.positions.size());
        caps.closed.positions.push_back((sum / double(hole.size())).cast<float>());
        const Vector3d apex = caps.closed.positions.back().cast<double>();
        for (std::size_t i = 0; i < hole.size(); ++i) {
            const Triangle cap = {hole[i], hole[(i + 1) % hole.size()], middle};
            const Vector3d a = mesh.positions[cap[0]].cast<double>();
            const Vector3d b = mesh.positions[cap[1]].cast<double>();
            // The distance from the edge is convex: it is largest at the apex.
            caps.filling = std::max(caps.filling, distance_from_segment(apex, a, b) * (1.0 + 1e-12));
            caps.area += 0.5 * (b - a).cross(apex - a).norm();
            // One without area changes no winding.
            if (!on_a_line(caps.closed, cap)) caps.closed.triangles.push_back(cap);
        }
    }
    return caps;
}

}  // namespace espalier
