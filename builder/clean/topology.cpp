// SPDX-License-Identifier: GPL-3.0-or-later
// Edge statistics by sorting, components by disjoint sets, volume by the divergence theorem.
#include "builder/clean/topology.h"

#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include <Eigen/Geometry>
#include <vector>

#include "builder/base/disjoint_sets.h"

namespace espalier {
namespace {

// (smaller vertex, larger vertex, direction) in one sortable word each; equal words are interchangeable.
struct EdgeUse {
    std::uint64_t ends;
    bool reversed;
    bool operator<(const EdgeUse& other) const {
        return ends != other.ends ? ends < other.ends : reversed < other.reversed;
    }
};

std::vector<EdgeUse> sorted_edge_uses(const TriangleMesh& mesh) {
    std::vector<EdgeUse> uses(3 * mesh.triangles.size());
    tbb::parallel_for(std::size_t{0}, mesh.triangles.size(), [&](std::size_t i) {
        const Triangle& triangle = mesh.triangles[i];
        for (std::size_t side = 0; side < 3; ++side) {
            const std::uint64_t from = triangle[side], to = triangle[(side + 1) % 3];
            uses[3 * i + side] = from < to ? EdgeUse{from << 32 | to, false} : EdgeUse{to << 32 | from, true};
        }
    });
    tbb::parallel_sort(uses.begin(), uses.end());
    return uses;
}

void count_edges(const TriangleMesh& mesh, Topology& topology) {
    const std::vector<EdgeUse> uses = sorted_edge_uses(mesh);
    bool balanced = true;
    for (std::size_t begin = 0; begin < uses.size();) {
        std::size_t end = begin, reversed = 0;
        for (; end < uses.size() && uses[end].ends == uses[begin].ends; ++end) reversed += uses[end].reversed;
        const std::size_t count = end - begin;
        ++topology.edges;
        topology.boundary_edges += count == 1;
        topology.non_manifold_edges += count > 2;
        topology.inconsistent_edges += count == 2 && reversed != 1;
        balanced = balanced && 2 * reversed == count;
        begin = end;
    }
    topology.balanced = balanced;
    topology.edge_manifold = topology.non_manifold_edges == 0;
    topology.oriented = topology.inconsistent_edges == 0;
    topology.closed = topology.edge_manifold && topology.oriented && topology.boundary_edges == 0;
}

std::uint64_t count_components(const TriangleMesh& mesh) {
    DisjointSets vertices(mesh.positions.size());
    for (const Triangle& triangle : mesh.triangles) {
        vertices.join(triangle[0], triangle[1]);
        vertices.join(triangle[0], triangle[2]);
    }
    return vertices.count();
}

double signed_volume(const TriangleMesh& mesh) {
    // Relative to a vertex: the mesh may be away from the origin.
    const Eigen::Vector3d base = mesh.corner(0, 0);
    double six_volumes = 0;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const Eigen::Vector3d a = mesh.corner(i, 0) - base, b = mesh.corner(i, 1) - base,
                              c = mesh.corner(i, 2) - base;
        six_volumes += a.dot(b.cross(c));
    }
    return six_volumes / 6;
}

}  // namespace

Topology analyse_topology(const TriangleMesh& mesh) {
    Topology topology;
    if (mesh.triangles.empty()) return topology;
    count_edges(mesh, topology);
    topology.components = count_components(mesh);
    topology.euler_characteristic = static_cast<std::int64_t>(mesh.positions.size()) -
                                    static_cast<std::int64_t>(topology.edges) +
                                    static_cast<std::int64_t>(mesh.triangles.size());
    topology.signed_volume = signed_volume(mesh);
    topology.inside_out = topology.closed && topology.signed_volume < 0;
    return topology;
}

}  // namespace espalier
