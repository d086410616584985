// SPDX-License-Identifier: GPL-3.0-or-later
// EXT_mesh_gpu_instancing: a node that places its mesh many times.
#pragma once

#include <Eigen/Geometry>
#include <string>
#include <vector>

#include "builder/import/gltf/accessors.h"

namespace espalier::import_formats::gltf {

/// How often, by the document alone; `attributes` are those of the extension.
std::uint64_t instance_count(const Json& attributes, const Accessors& accessors, const std::string& where);

/// From each instance's frame to the node's. None of them is singular.
std::vector<Eigen::Affine3d> instance_transforms(const Json& attributes, Accessors& accessors,
                                                 const std::string& where);

}  // namespace espalier::import_formats::gltf
