// SPDX-License-Identifier: GPL-3.0-or-later
// Mesh files by other people's readers: a second opinion on ours.
#pragma once

#include <optional>
#include <string>

#include "builder/import/polygon_soup.h"

namespace espalier::testing {

/// The points and polygons of an OBJ, OFF, PLY or STL file by CGAL's readers; none where they fail. They are
/// for regular files only: on others they stop early, skip or crash.
std::optional<PolygonSoup> soup_by_cgal(const std::string& extension, const std::string& bytes);

/// The same of a glTF or GLB file by assimp, all instances with the transforms of their nodes; throws where
/// it fails. It drops meshes that no node uses.
PolygonSoup soup_by_assimp(const std::string& extension, const std::string& bytes);

}  // namespace espalier::testing
