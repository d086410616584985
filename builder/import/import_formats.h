// SPDX-License-Identifier: GPL-3.0-or-later
// What the parts of the import share; not for use outside builder/import.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "builder/base/result.h"
#include "builder/import/import.h"
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

/// The scene of a glTF 2.0 JSON or GLB container that `options.scene` chooses, unscaled, without provenance
/// and name; reads the buffers beside it from `files`.
Result<Scene> read_gltf(std::string_view bytes, ReferencedFiles& files, const ImportOptions& options);

/// Scenes by assimp's importers, unscaled, without provenance and name. Each file is checked first; no other
/// one is opened.
Result<Scene> read_dae(std::string_view bytes);
Result<Scene> read_fbx(std::string_view bytes);
Result<Scene> read_3ds(std::string_view bytes);

/// Whether a file of `size` bytes promises, at its start, more than is read: then it is refused before it is
/// read. Whatever else is wrong with it is left to the readers.
std::optional<Error> check_stl_head(std::istream& file, std::uint64_t size, const ImportOptions&);
std::optional<Error> check_ply_head(std::istream& file, std::uint64_t size, const ImportOptions&);
std::optional<Error> check_glb_head(std::istream& file, std::uint64_t size, const ImportOptions& options);

/// What the importers of these formats need to be safe from.
struct CheckedDae {
    std::string_view document;  ///< without what follows it
    std::size_t trailing = 0;   ///< bytes that follow and do not belong there
};
Result<CheckedDae> check_dae(std::string_view bytes);
std::optional<Error> check_fbx(std::string_view bytes);
std::optional<Error> check_3ds(std::string_view bytes);

/// The coordinates of a point, in messages.
constexpr const char* kAxes[] = {"x", "y", "z"};

/// `count` `things` are more than is read.
Error too_many(std::uint64_t count, const std::string& things);

/// The next `size` bytes, or what is left.
std::string read_some(std::istream& file, std::uint64_t size);

/// Reads a whole regular file. kInputOutput if that is not possible; `what` names it in the message ("buffer
/// a.bin: ").
Result<std::string> read_file(const std::filesystem::path& path, const std::string& what = {});

/// Corners of a polygon; more are refused: no modelling tool writes them, broken files do. A larger number
/// lets a file keep the triangulation, whose time grows faster than linearly, busy for longer.
constexpr std::size_t kMaxPolygonCorners = 1'000'000;

/// Vertices are indexed with 32 bits.
constexpr std::size_t kMaxVertices = 0xFFFF'FFF0;

/// Triangles of a file, and of a scene with all its instances, which a small file can multiply at will. 100
/// million take some gigabytes of memory; a larger number lets a file ask for more.
constexpr std::uint64_t kMostTriangles = 100'000'000;

}  // namespace espalier::import_formats
