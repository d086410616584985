// SPDX-License-Identifier: GPL-3.0-or-later
// What the parts of the import share; not for use outside builder/import.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "builder/base/result.h"
#include "builder/import/polygon_soup.h"
#include "builder/import/referenced_file.h"
#include "builder/import/scene.h"

namespace espalier::import_formats {

/// Each reads the points and polygons of `bytes`, a file of its format, unscaled, without provenance. The
/// file is complete and consistent, or the answer is an error: kInvalidInput says what is wrong and where,
/// kUnsupported which variant is not handled. None of these formats makes us open another file: OBJ's mtllib
/// is left out, and its call statement is refused.
Result<PolygonSoup> read_obj(std::string_view bytes);
Result<PolygonSoup> read_off(std::string_view bytes);
Result<PolygonSoup> read_stl(std::string_view bytes);
Result<PolygonSoup> read_ply(std::string_view bytes);

/// As above for glTF 2.0 JSON or a GLB container at `scope.file`; reads the external buffers that `scope`
/// allows.
Result<PolygonSoup> read_gltf(std::string_view bytes, const ReferenceScope& scope);

/// Scenes by assimp's importers, unscaled, without provenance and name. Each file is checked first; no other
/// one is opened.
Result<Scene> read_dae(std::string_view bytes);
Result<Scene> read_fbx(std::string_view bytes);
Result<Scene> read_3ds(std::string_view bytes);

/// What the importers of these formats need to be safe from.
std::optional<Error> check_dae(std::string_view bytes);
std::optional<Error> check_fbx(std::string_view bytes);
std::optional<Error> check_3ds(std::string_view bytes);

/// The coordinates of a point, in messages.
constexpr const char* kAxes[] = {"x", "y", "z"};

/// Reads a whole regular file. kInputOutput if that is not possible; `what` names it in the message ("buffer
/// a.bin: ").
Result<std::string> read_file(const std::filesystem::path& path, const std::string& what = {});

/// Corners of a polygon; more are refused: no modelling tool writes them, broken files do. A larger number
/// lets a file keep the triangulation, whose time grows faster than linearly, busy for longer.
constexpr std::size_t kMaxPolygonCorners = 1'000'000;

/// Vertices are indexed with 32 bits.
constexpr std::size_t kMaxVertices = 0xFFFF'FFF0;

}  // namespace espalier::import_formats
