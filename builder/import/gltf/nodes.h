// SPDX-License-Identifier: GPL-3.0-or-later
// The nodes of a glTF file as a forest, and the scene of them that is read.
#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "builder/import/gltf/document.h"

namespace espalier::import_formats::gltf {

constexpr std::uint64_t kNoNode = ~std::uint64_t{0};

/// Nodes of a file, and of a scene with all its instances: a million take some hundred megabytes. A larger
/// number lets a file ask for more.
constexpr std::uint64_t kMostNodes = 1'000'000;

struct Node {
    std::string name;
    std::uint64_t parent = kNoNode;
    std::vector<std::uint64_t> children;
    Eigen::Affine3d to_parent = Eigen::Affine3d::Identity();
    Eigen::Affine3d to_world = Eigen::Affine3d::Identity();
    bool singular = false;  ///< it or a node above presses everything flat
    std::optional<std::uint64_t> mesh, skin;
    std::vector<double> weights;      ///< of morph targets
    const Json* instances = nullptr;  ///< the attributes of EXT_mesh_gpu_instancing
};

/// All nodes of the file. Fails where they are no forest, or nested more than 256 deep.
std::vector<Node> read_nodes(const Json& root);

/// A scene of the file.
struct ChosenScene {
    std::string where;  ///< "scene 0", "the file"
    std::vector<std::uint64_t> roots;
};

/// The scene that `wanted`, a number from 0 or a name, means; where it is empty the default one, else the
/// first, else, in a file without scenes, all nodes without parent.
ChosenScene choose_scene(const Json& root, const std::vector<Node>& nodes, const std::string& wanted);

/// The names of all scenes, maybe empty ones.
std::vector<std::string> scene_names(const Json& root);

}  // namespace espalier::import_formats::gltf
