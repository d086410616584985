// SPDX-License-Identifier: GPL-3.0-or-later
// Depth-first search for cycles, depth and number of unfolded nodes.
#include "builder/import/instance_graph.h"

#include <algorithm>

#include "builder/import/text_scan.h"

namespace espalier::import_formats {
namespace {

// Levels: more than any tool writes. Importers recurse, so a larger number needs a larger stack.
constexpr std::size_t kMostNesting = 256;
// Nodes, counted as often as they are instanced: importers unfold them all, about 1 kB each. A larger number
// lets a small file ask for more memory.
constexpr std::uint64_t kMostNodes = 10'000'000;

}  // namespace

std::optional<Error> check_instances(const InstanceGraph& graph) {
    enum class State : char { kNew, kOpen, kDone };
    const std::size_t count = graph.children.size();
    std::vector<State> state(count, State::kNew);
    std::vector<std::uint64_t> unfolded(count, 0);  // nodes of the subtree, itself included
    std::vector<std::size_t> height(count, 0);
    struct Visit {
        std::size_t node;
        std::size_t next = 0;  // child to look at
    };
    for (std::size_t root = 0; root < count; ++root) {
        if (state[root] != State::kNew) continue;
        std::vector<Visit> path{{root}};
        state[root] = State::kOpen;
        while (!path.empty()) {
            Visit& visit = path.back();
            const std::size_t node = visit.node;
            const std::string name = text_scan::quote(graph.names[node]);
            if (visit.next < graph.children[node].size()) {
                const std::size_t child = graph.children[node][visit.next++];
                if (state[child] == State::kOpen)
                    return Error{ErrorKind::kInvalidInput,
                                 "the node " + text_scan::quote(graph.names[child]) + " contains itself"};
                if (state[child] == State::kNew) {
                    state[child] = State::kOpen;
                    path.push_back({child});
                }
                continue;
            }
            unfolded[node] = 1;
            for (const std::size_t child : graph.children[node]) {
                unfolded[node] = std::min(unfolded[node] + unfolded[child], kMostNodes + 1);
                height[node] = std::max(height[node], height[child] + 1);
            }
            if (height[node] > kMostNesting)
                return Error{ErrorKind::kInvalidInput, "nodes are nested too deeply below the node " + name};
            if (unfolded[node] > kMostNodes)
                return Error{ErrorKind::kUnsupported, "the node " + name + " unfolds to more than " +
                                                          std::to_string(kMostNodes) + " nodes"};
            state[node] = State::kDone;
            path.pop_back();
        }
    }
    return std::nullopt;
}

}  // namespace espalier::import_formats
