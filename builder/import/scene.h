// SPDX-License-Identifier: GPL-3.0-or-later
// What a file holds that places meshes: each mesh once, in its own frame, and a tree of named nodes that
// place them.
#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <string>
#include <vector>

#include "builder/base/finding.h"
#include "builder/base/result.h"
#include "builder/import/polygon_soup.h"
#include "builder/import/provenance.h"

namespace espalier {

/// No node, no mesh.
constexpr std::uint32_t kNone = 0xFFFFFFFFu;

/// A named frame, with a mesh or without.
struct SceneNode {
    std::string name;              ///< as the file gives it, maybe empty or not unique
    std::uint32_t parent = kNone;  ///< of Scene::nodes, before this one; kNone: the scene's frame
    Eigen::Affine3d to_parent = Eigen::Affine3d::Identity();  ///< from the node's frame; any affine map
    std::uint32_t mesh = kNone;                               ///< of Scene::meshes
};

/// A mesh, once however often it is placed.
struct SceneMesh {
    std::string name;  ///< as the file gives it, maybe empty
    /// In the mesh's own frame, already multiplied by the scale. Its unit, provenance and findings are not
    /// used: the scene has them.
    PolygonSoup soup;
};

/// `import_scene` guarantees that parents stand before their children, indices in range and at least one
/// placed polygon; of the soups what PolygonSoup says.
struct Scene {
    std::string name;                      ///< of the file, without folder and extension
    std::vector<SceneMesh> meshes;         ///< also such as no node places
    std::vector<SceneNode> nodes;          ///< of the chosen scene, depth first in the order of the file
    double scale = 1.0;                    ///< that points and translations were multiplied by
    std::string unit;                      ///< of the points as far as known, e.g. "metre"; empty: unknown
    Provenance provenance;                 ///< the file that this came from
    std::vector<Finding> findings;         ///< what the import noticed
    std::vector<std::string> scene_names;  ///< of all scenes of the file, maybe empty ones
};

/// A scene of one mesh and one node, both called `name`.
Scene scene_of(std::string name, PolygonSoup soup);

/// Where each node is in the scene's frame. Precondition: parents stand before their children.
std::vector<Eigen::Affine3d> world_transforms(const Scene& scene);

/// Appends `soup` moved by `transform` to `all`; a mirroring transform also reverses the polygons, so that
/// they keep facing outward.
void append_transformed(const PolygonSoup& soup, const Eigen::Affine3d& transform, PolygonSoup& all);

/// Everything that the nodes place as one soup in the scene's frame: node by node, points and polygons in the
/// order of their mesh. Fails with kUnsupported if that is more than 100 million triangles or points than 32
/// bits can number.
Result<PolygonSoup> merge_scene(const Scene& scene);

}  // namespace espalier
