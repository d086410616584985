// SPDX-License-Identifier: GPL-3.0-or-later
// Edge statistics from sorted edges, components by disjoint sets.
#include "builder/clean/topology.h"

#include <vector>

#include "builder/base/disjoint_sets.h"
#include "builder/surface/edge_uses.h"
#include "builder/surface/mesh_volume.h"

namespace espalier {
namespace {

void count_edges(const TriangleMesh& mesh, Topology& topology) {
    const std::vector<EdgeUse> uses = sorted_edge_uses(mesh);
    bool balanced = true;
    for_each_edge(uses, [&](std::span<const EdgeUse> edge) {
        std::size_t reversed = 0;
        for (const EdgeUse& use : edge) reversed += use.reversed;
        ++topology.edges;
        topology.boundary_edges += edge.size() == 1;
        topology.non_manifold_edges += edge.size() > 2;
        topology.inconsistent_edges += edge.size() == 2 && reversed != 1;
        balanced = balanced && 2 * reversed == edge.size();
        return true;
    });
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
