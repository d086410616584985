// SPDX-License-Identifier: GPL-3.0-or-later
// The meshes that several tests share.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "builder/clean/sanitize.h"
#include "builder/surface/triangle_mesh.h"

namespace espalier::testing {

struct NamedTriangles {
    std::string name;
    TriangleMesh mesh;
};

/// Ten meshes of roughly `triangles` triangles each: generated ones of every kind, and a soup of triangles of
/// very different sizes.
std::vector<NamedTriangles> ten_small_meshes(std::uint32_t triangles);

/// Random triangles in a unit cube, sizes spread over three decades; neighbours may cross.
TriangleMesh random_soup(std::uint64_t seed, std::uint32_t triangles);

/// The file names in `folder`/meshes.txt, which corpus/fetch writes. Throws when it is not there: run
/// corpus/fetch.
std::vector<std::string> real_mesh_names(const std::filesystem::path& folder);

/// Imports and sanitizes one file; throws with the reason when it cannot.
SanitizedMesh load_real_mesh(const std::filesystem::path& file);

}  // namespace espalier::testing
