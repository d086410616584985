// SPDX-License-Identifier: GPL-3.0-or-later
// Guards importers that walk a scene's nodes recursively against scenes that never end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "builder/base/result.h"

namespace espalier::import_formats {

/// Nodes that contain or instance other nodes.
struct InstanceGraph {
    std::vector<std::string> names;                  ///< of the nodes, for messages
    std::vector<std::vector<std::size_t>> children;  ///< by node
};

/// kInvalidInput if a node contains itself, directly or not, or nodes are nested more than 256 deep;
/// kUnsupported if the graph unfolds to more than ten million nodes.
std::optional<Error> check_instances(const InstanceGraph& graph);

}  // namespace espalier::import_formats
