// SPDX-License-Identifier: GPL-3.0-or-later
// Mesh files as bytes. Only what the corpus needs: the tools write and read meshes through libraries.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "builder/base/result.h"
#include "corpus/shape.h"

namespace espalier::corpus {

/// `mesh` as the text of an OFF file; coordinates in the fewest digits that read back to the same float32.
std::string to_off(const TriangleMesh& mesh);
/// `mesh` as the text of an OBJ file: v and f lines only.
std::string to_obj(const TriangleMesh& mesh);
/// `mesh` as a binary STL file: 84 + 50 bytes a triangle, facet normals zero (readers compute them).
std::string to_stl(const TriangleMesh& mesh);
/// `mesh` as a binary little-endian PLY file.
std::string to_ply(const TriangleMesh& mesh);

/// `mesh` in the format that `extension` (with its dot, any case) names; fails with kUnsupported for others
/// than .off, .obj, .stl, .ply.
Result<std::string> to_format(const TriangleMesh& mesh, std::string_view extension);

/// Replaces the file at `path` by `bytes`; fails with kInputOutput, naming the file.
Result<Success> write_bytes(const std::filesystem::path& path, std::string_view bytes);

}  // namespace espalier::corpus
