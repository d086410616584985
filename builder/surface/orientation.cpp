// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/surface/orientation.h"

#include <array>
#include <utility>

#include "builder/surface/edge_uses.h"

namespace espalier {
namespace {

constexpr std::uint32_t kNoTriangle = ~std::uint32_t{0};

struct Neighbour {
    std::uint32_t triangle = kNoTriangle;
    bool agrees = false;  ///< the shared edge runs in opposite directions, as it must
};

/// By triangle and edge; none where not exactly two triangles have the edge.
std::vector<std::array<Neighbour, 3>> neighbours_of(const TriangleMesh& mesh) {
    std::vector<std::array<Neighbour, 3>> neighbours(mesh.triangles.size());
    for_each_edge(sorted_edge_uses(mesh), [&](std::span<const EdgeUse> uses) {
        if (uses.size() != 2) return true;
        const bool agrees = uses[0].reversed != uses[1].reversed;
        neighbours[uses[0].triangle][uses[0].edge] = {uses[1].triangle, agrees};
        neighbours[uses[1].triangle][uses[1].edge] = {uses[0].triangle, agrees};
        return true;
    });
    return neighbours;
}

enum class Turn : std::uint8_t { kUnseen, kKept, kTurned };

/// The triangles that hang together with `seed`, and in `turns` which of them to turn. Empty if that cannot
/// be.
std::vector<std::uint32_t> component_of(std::uint32_t seed,
                                        const std::vector<std::array<Neighbour, 3>>& neighbours,
                                        std::vector<Turn>& turns) {
    std::vector<std::uint32_t> component = {seed};
    turns[seed] = Turn::kKept;
    for (std::size_t next = 0; next < component.size(); ++next) {
        const std::uint32_t t = component[next];
        for (const Neighbour& n : neighbours[t]) {
            if (n.triangle == kNoTriangle) continue;
            const Turn wanted = (turns[t] == Turn::kKept) == n.agrees ? Turn::kKept : Turn::kTurned;
            if (turns[n.triangle] == Turn::kUnseen) {
                turns[n.triangle] = wanted;
                component.push_back(n.triangle);
            } else if (turns[n.triangle] != wanted) {
                return {};
            }
        }
    }
    return component;
}

}  // namespace

bool orient(TriangleMesh& mesh) {
    const std::vector<std::array<Neighbour, 3>> neighbours = neighbours_of(mesh);
    std::vector<Turn> turns(mesh.triangles.size(), Turn::kUnseen);
    std::vector<std::uint32_t> to_turn;
    for (std::uint32_t seed = 0; seed < mesh.triangles.size(); ++seed) {
        if (turns[seed] != Turn::kUnseen) continue;
        const std::vector<std::uint32_t> component = component_of(seed, neighbours, turns);
        if (component.empty()) return false;
        std::size_t turned = 0;
        for (const std::uint32_t t : component) turned += turns[t] == Turn::kTurned ? 1u : 0u;
        const Turn smaller = 2 * turned <= component.size() ? Turn::kTurned : Turn::kKept;
        if (turned == 0) continue;
        for (const std::uint32_t t : component)
            if (turns[t] == smaller) to_turn.push_back(t);
    }
    for (const std::uint32_t t : to_turn) std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
    return true;
}

}  // namespace espalier
