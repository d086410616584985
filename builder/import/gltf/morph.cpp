// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/import/gltf/morph.h"

#include <algorithm>

namespace espalier::import_formats::gltf {

std::vector<double> morph_weights(const std::vector<double>& of_node, const Json& mesh,
                                  const std::string& where) {
    std::vector<double> weights = of_node.empty() ? numbers(mesh, "weights", 0, where) : of_node;
    // Weights of zero are no weights: such a mesh is the same wherever it is placed.
    if (std::ranges::count(weights, 0.0) == std::ssize(weights)) weights.clear();
    return weights;
}

void morph(const Json& primitive, const std::vector<double>& weights, Accessors& accessors, AccessorKind kind,
           const std::string& where, Numbers& points) {
    if (weights.empty()) return;
    const Json& targets = array(primitive, "targets", where);
    if (targets.size() != weights.size())
        fail(where + " has " + std::to_string(targets.size()) + " morph targets, but there are " +
             std::to_string(weights.size()) + " weights");
    kind.name = "morph targets";
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const Json* position = member(targets[i], "POSITION");
        if (weights[i] == 0 || position == nullptr) continue;
        const Numbers moves = accessors.numbers(integer(*position, where, "POSITION"), kind, where);
        if (moves.count != points.count)
            fail(where + ": morph target " + std::to_string(i) + " has " + std::to_string(moves.count) +
                 " elements for " + std::to_string(points.count) + " points");
        for (std::size_t k = 0; k < points.values.size(); ++k)
            points.values[k] += weights[i] * moves.values[k];
    }
}

}  // namespace espalier::import_formats::gltf
