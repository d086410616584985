// SPDX-License-Identifier: GPL-3.0-or-later
// Transforms of glTF: a matrix, or translation, rotation and scale.
#pragma once

#include <Eigen/Geometry>
#include <string>

#include "builder/import/gltf/document.h"

namespace espalier::import_formats::gltf {

/// From a node's frame to its parent's. Fails where the numbers are not finite, or make no affine map.
Eigen::Affine3d node_transform(const Json& node, const std::string& where);

/// T * R * S; `rotation` is a quaternion x y z w of any length but 0. Null: none.
Eigen::Affine3d composed(const double* translation, const double* rotation, const double* scale,
                         const std::string& where);

/// Whether it presses a solid flat: its least stretch is zero, as far as float32 can tell.
bool is_singular(const Eigen::Affine3d& transform);

/// The affine map of 16 numbers, column by column. Fails where it is none.
Eigen::Affine3d affine_of(const double* columns, const std::string& where);

}  // namespace espalier::import_formats::gltf
