// SPDX-License-Identifier: GPL-3.0-or-later
// What the parts of the import share; not for use outside builder/mesh.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "builder/base/result.h"
#include "builder/import/polygon_soup.h"
#include "builder/import/referenced_file.h"

namespace espalier::import_formats {

/// A file's content, checked, and rewritten where a library would misread it (see check_*.cpp for why).
struct CheckedInput {
    std::string bytes;         ///< what the library is given to parse
    std::size_t vertices = 0;  ///< how many it must deliver (0: the format does not tell)
    std::size_t polygons = 0;  ///< how many it must deliver
    std::vector<Finding> findings;
};

/// Each checks that `bytes` is a complete and consistent file of its format. kInvalidInput says what is wrong
/// and where, kUnsupported which variant is not handled. None of these formats makes us open another file:
/// OBJ's mtllib is left out of what the library parses, and its call statement is refused.
Result<CheckedInput> check_obj(std::string_view bytes);
Result<CheckedInput> check_off(std::string_view bytes);
Result<CheckedInput> check_stl(std::string_view bytes);
Result<CheckedInput> check_ply(std::string_view bytes);

/// As above for glTF 2.0 JSON or a GLB container at `scope.file`; reads the external buffers that `scope`
/// allows, and returns one GLB with nothing but nodes, triangles and positions. `polygons` is the number of
/// triangles, lines and points over all meshes.
Result<CheckedInput> check_gltf(std::string_view bytes, const ReferenceScope& scope);

/// As above for what these formats' importers need to be safe from; the file itself is then parsed. The
/// importers open no other file.
std::optional<Error> check_dae(std::string_view bytes);
std::optional<Error> check_fbx(std::string_view bytes);
std::optional<Error> check_3ds(std::string_view bytes);

/// Parse by the library; points and polygons only, unscaled. The input must have passed its check.
Result<PolygonSoup> read_obj(CheckedInput input);
Result<PolygonSoup> read_off(CheckedInput input);
Result<PolygonSoup> read_stl(CheckedInput input);
Result<PolygonSoup> read_ply(CheckedInput input);
Result<PolygonSoup> read_gltf(CheckedInput input);
Result<PolygonSoup> read_dae(std::string_view bytes);
Result<PolygonSoup> read_fbx(std::string_view bytes);
Result<PolygonSoup> read_3ds(std::string_view bytes);

/// Reads a whole regular file. kInputOutput if that is not possible; `what` names it in the message ("buffer
/// a.bin: ").
Result<std::string> read_file(const std::filesystem::path& path, const std::string& what = {});

/// A polygon of more corners is refused: no modelling tool writes one, broken files do.
constexpr std::size_t kMaxPolygonCorners = 1'000'000;

/// Vertices are indexed with 32 bits.
constexpr std::size_t kMaxVertices = 0xFFFF'FFF0;

}  // namespace espalier::import_formats
