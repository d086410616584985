// SPDX-License-Identifier: GPL-3.0-or-later
// Morph targets: how far each point of a primitive moves for a weight of one.
#pragma once

#include "builder/import/gltf/accessors.h"

namespace espalier::import_formats::gltf {

/// The weights of a mesh: those of the node that places it if it has any, else the mesh's own, else none.
std::vector<double> morph_weights(const std::vector<double>& of_node, const Json& mesh,
                                  const std::string& where);

/// Moves `points` by the targets of `primitive` as far as `weights` say; without weights, not at all.
void morph(const Json& primitive, const std::vector<double>& weights, Accessors& accessors, AccessorKind kind,
           const std::string& where, Numbers& points);

}  // namespace espalier::import_formats::gltf
