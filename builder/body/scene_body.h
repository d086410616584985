// SPDX-License-Identifier: GPL-3.0-or-later
// From a scene's meshes and nodes to shapes and rigid parts.
#pragma once

#include <vector>

#include "builder/base/result.h"
#include "builder/body/body_description.h"
#include "builder/body/scene_parts.h"
#include "builder/import/scene.h"

namespace espalier {

/// The scene as a body at rest. A part's pose is rigid; what else its nodes do to the mesh (scale, shear,
/// mirror) is put into the triangles of a shape of its own. A mesh is one shape for all placements that
/// differ by rotation and translation only. Fails as scene_parts does, and with
///  - kInvalidInput: a node's transform is singular or not finite; the message names the part;
///  - kUnsupported: shapes of more than 100 million triangles together.
///
/// Findings, behind the scene's: those of scene_parts, B04 transforms in shapes.
Result<BodyDescription> body_of_scene(Scene scene, const SceneChoice& choice);

/// The chosen parts as one mesh: merge_scene of them alone. Fails as scene_parts and merge_scene do.
Result<PolygonSoup> merge_chosen(Scene scene, const SceneChoice& choice);

/// A body of one part and one shape of the same name.
BodyDescription single_part_body(std::string name, PolygonSoup soup);

/// The scenes of several files as one, in one frame. A scene that places one mesh has its node called as the
/// scene; the nodes of others hang on a node called so. Precondition: at least one; one alone is returned as
/// it is. Fails with kInternal if the hash of several sources cannot be computed.
///
/// Finding: B06 units that differ.
Result<Scene> join_scenes(std::vector<Scene> scenes);

}  // namespace espalier
