// SPDX-License-Identifier: GPL-3.0-or-later
// Which nodes of a scene become parts, and what they are called.
#pragma once

#include <string>
#include <vector>

#include "builder/base/finding.h"
#include "builder/base/result.h"
#include "builder/import/scene.h"

namespace espalier {

/// What of a scene is wanted.
struct SceneChoice {
    /// Nodes that place nothing but have placed meshes below them become parts too, frames only; else what
    /// is below them hangs on the next part above.
    bool frames = false;
    /// Only parts whose names fit (builder/body/name_pattern.h); empty: all.
    std::string parts;
};

/// A node that becomes a part.
struct ScenePart {
    std::uint32_t node = 0;        ///< of Scene::nodes
    std::string name;              ///< UTF-8, unlike all others
    std::uint32_t parent = kNone;  ///< an earlier part: the nearest node above it that is one
    bool placed = false;           ///< it has the node's mesh; else it is a frame only
};

/// The parts of a scene, in the order of its nodes. Called as their nodes, else as their meshes, else
/// "part<i>"; a name that an earlier part has gets "#2", "#3" ... behind it, and bytes that are no UTF-8, or
/// control characters, become U+FFFD. Fails with
///  - kUnsupported: more than kMostParts;
///  - kInvalidInput: no name fits `choice.parts`; the message has the names that there are.
///
/// Findings, appended: B01 unnamed parts, B02 duplicate names, B03 names that are no text.
Result<std::vector<ScenePart>> scene_parts(const Scene& scene, const SceneChoice& choice,
                                           std::vector<Finding>& findings);

}  // namespace espalier
