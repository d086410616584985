// SPDX-License-Identifier: GPL-3.0-or-later
// The sphere trees of two espalier commands, an old one and a new one, side by side.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace espalier {

struct TableRequest {
    std::filesystem::path old_command;
    std::filesystem::path new_command;
    std::filesystem::path meshes;     ///< folder of .off files
    std::vector<std::string> models;  ///< only these, by file name without extension; empty: all
    std::filesystem::path work;       ///< folder for what is baked
};

/// Bakes every mesh with both commands in turn, each on one processor, and returns a table in Markdown:
/// geometric means by size of mesh, then each mesh, what lost first. Meshes that either command refuses, and
/// open ones, are left out and named.
std::string compare_commands(const TableRequest& request);

}  // namespace espalier
