// SPDX-License-Identifier: GPL-3.0-or-later
// Files of the tests of the command: folders that vanish, texts, small meshes and assets.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace espalier::test {

using testing::TemporaryFolder;

void write_text(const std::filesystem::path& path, const std::string& text);
/// The whole file; empty when there is none.
std::string read_text(const std::filesystem::path& path);
/// Names of all that is in a folder, sorted.
std::vector<std::string> names_in(const std::filesystem::path& folder);

/// The cube from 0 to 1 along each axis: closed, 12 triangles.
std::string cube_obj();
/// The cube without its last two triangles.
std::string open_cube_obj();
/// A mesh of the corpus as OFF, with about that many triangles.
std::string corpus_off(const std::string& name, unsigned triangles);

/// Bakes a mesh in OBJ or OFF text to `asset` with the given further options; throws when that fails.
void bake_text(const std::string& text, const std::string& extension, const std::string& asset,
               const std::vector<std::string>& options = {});

/// Writes a correct checksum into the bytes of an asset that were changed, so that only geometry can tell.
void reseal(std::string& asset_bytes);

}  // namespace espalier::test
