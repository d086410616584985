// SPDX-License-Identifier: GPL-3.0-or-later
// Mesh files to scenes of polygon soups: OBJ, STL, PLY, OFF, glTF and GLB by readers of our own, DAE, FBX,
// 3DS by assimp.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "builder/base/result.h"
#include "builder/import/polygon_soup.h"
#include "builder/import/scene.h"

namespace espalier {

/// How a mesh file is read.
struct ImportOptions {
    /// Every coordinate is multiplied by this. Finite and positive.
    double scale = 1.0;
    /// Name of the unit of the coordinates after scaling, recorded in the asset; empty: what the file states,
    /// if it does.
    std::string unit;
    /// Which scene of a file with several: its number from 0 or its name; empty: the file's default.
    std::string scene = {};
    /// Folders of files that the mesh file may refer to, besides its own (see referenced_file.h). They decide
    /// what may be read, not what is baked, and are not recorded.
    std::vector<std::filesystem::path> allowed_folders = {};
};

/// Reads the scene at `path`; the format is chosen by the extension, in any case (see
/// `supported_extensions`). Coordinates are taken as they are in the file, times `options.scale`: no axis is
/// swapped. Scene formats: every mesh once and the nodes that place it; other formats: one mesh and one node,
/// named by the file. Nothing is animated: glTF's skins and morph targets are at rest (joints where their
/// nodes are, default weights), those of DAE and FBX are left out. COLLADA's <unit> is applied, so DAE
/// coordinates are metres, as are glTF's; an FBX file's unit is reported, not applied.
///
/// Fails with
///  - kUsage: the scale is not finite and positive;
///  - kInputOutput: the file (or a buffer that a glTF file refers to) is missing, unreadable or not a regular
///  file;
///  - kUnsupported: unknown extension, a variant of a format or a required extension of glTF that is not
///  handled, more than the limits (looked at before memory is taken for it), or a buffer outside of the
///  file's folder and `options.allowed_folders` (the message says which);
///  - kInvalidInput: the file is empty, truncated, malformed, refers to vertices that it does not have, has
///  no polygon or no scene of that name; the message says what and where (line, element, index or byte).
/// DAE, FBX and 3DS are checked before assimp parses them, because it crashes, hangs or goes on silently with
/// broken files. These checks cover structure, sizes, indices and nesting, not every field: treat such files
/// from sources that you do not trust with care.
///
/// Findings: M01 trailing data, M02 no final newline, M03 points and lines ignored, M04 unit not applied,
/// M05 free-form geometry ignored, M06 animation ignored.
Result<Scene> import_scene(const std::filesystem::path& path, const ImportOptions& options = {});

/// All of the scene at `path` as one mesh: import_scene, then merge_scene.
Result<PolygonSoup> import_mesh(const std::filesystem::path& path, const ImportOptions& options = {});

/// The extensions that `import_scene` accepts, for messages: ".3ds .dae .fbx .glb .gltf .obj .off .ply .stl".
const std::string& supported_extensions();

}  // namespace espalier
