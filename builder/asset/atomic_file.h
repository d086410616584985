// SPDX-License-Identifier: GPL-3.0-or-later
// Files that appear whole or not at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

#include "builder/base/result.h"

namespace espalier {

/// Writes `bytes` to a temporary file beside `path`, syncs it and renames it over `path`. A symbolic link is
/// followed and stays. On failure `path` is as it was and no temporary file is left; what a killed process
/// leaves is taken over by the next one that writes `path`. The message names the operating system's reason.
Result<Success> write_file_atomically(const std::filesystem::path& path, std::span<const std::uint8_t> bytes);

/// Whether a file could be written at `path`: its folder exists and is writable, and it is not a folder
/// itself. Checked before long work, so that a bake does not fail at its end.
Result<Success> check_writable(const std::filesystem::path& path);

}  // namespace espalier
