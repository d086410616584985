// SPDX-License-Identifier: GPL-3.0-or-later
// Skins: meshes whose points follow joints (glTF 2.0, section 3.7.3). At rest, joints are where their nodes
// are.
#pragma once

#include <Eigen/Geometry>
#include <vector>

#include "builder/import/gltf/accessors.h"
#include "builder/import/gltf/nodes.h"
#include "builder/import/gltf/primitives.h"

namespace espalier::import_formats::gltf {

/// From the mesh's frame to the scene's, for each joint.
using JointMatrices = std::vector<Eigen::Affine3d>;

JointMatrices joint_matrices(const Json& root, std::uint64_t skin, const std::vector<Node>& nodes,
                             Accessors& accessors);

/// Moves `points` from the mesh's frame to the scene's. True if that turns the surface inside out.
bool apply_skin(const JointMatrices& joints, const PrimitiveReader& reader, const std::string& where,
                Numbers& points);

}  // namespace espalier::import_formats::gltf
