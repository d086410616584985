// SPDX-License-Identifier: GPL-3.0-or-later
// What the corpus promises about a mesh, measured without any of the code that made it.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "builder/surface/triangle_mesh.h"

namespace espalier::corpus {

struct Topology {
    bool edges_paired = true;        ///< every directed edge occurs once and its opposite once
    bool one_fan_a_vertex = true;    ///< the triangles at each vertex form a single fan
    bool all_facing_outward = true;  ///< every connected piece encloses a positive volume
    std::uint32_t components = 0;
    std::int64_t euler = 0;  ///< vertices - edges + faces
};

inline std::uint32_t root_of(std::vector<std::uint32_t>& parent, std::uint32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

inline Topology topology_of(const TriangleMesh& mesh) {
    Topology result;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> edges;
    std::vector<std::uint32_t> parent(mesh.positions.size());
    std::iota(parent.begin(), parent.end(), 0u);
    // The corner opposite to each vertex's outgoing edge: walking it turns once around the vertex.
    std::vector<std::map<std::uint32_t, std::uint32_t>> next(mesh.positions.size());
    for (const Triangle& t : mesh.triangles)
        for (std::size_t i = 0; i < 3; ++i) {
            const std::uint32_t a = t[i], b = t[(i + 1) % 3];
            if (++edges[{a, b}] > 1) result.edges_paired = false;
            parent[root_of(parent, a)] = root_of(parent, b);
            next[a][b] = t[(i + 2) % 3];
        }
    for (const auto& [edge, count] : edges)
        if (!edges.count({edge.second, edge.first})) result.edges_paired = false;
    for (const auto& around : next) {
        if (around.empty() || !result.edges_paired) {
            result.one_fan_a_vertex = false;
            continue;
        }
        std::size_t steps = 0;
        std::uint32_t at = around.begin()->first;
        do {
            at = around.at(at);
            ++steps;
        } while (at != around.begin()->first && steps <= around.size());
        if (steps != around.size()) result.one_fan_a_vertex = false;
    }
    std::map<std::uint32_t, double> volume;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
        volume[root_of(parent, mesh.triangles[i][0])] +=
            mesh.corner(i, 0).dot(mesh.corner(i, 1).cross(mesh.corner(i, 2)));
    for (const auto& [piece, six_times] : volume)
        if (!(six_times > 0.0)) result.all_facing_outward = false;
    result.components = static_cast<std::uint32_t>(volume.size());
    result.euler = static_cast<std::int64_t>(mesh.positions.size()) -
                   static_cast<std::int64_t>(edges.size() / 2) +
                   static_cast<std::int64_t>(mesh.triangles.size());
    return result;
}

}  // namespace espalier::corpus
