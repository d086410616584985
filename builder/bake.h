// SPDX-License-Identifier: GPL-3.0-or-later
// The whole way from a mesh, in a file or in memory, to the bytes of an asset, as one call.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "builder/base/progress.h"
#include "builder/base/result.h"
#include "builder/clean/sanitize.h"
#include "builder/hierarchies.h"
#include "builder/import/import.h"
#include "builder/import/memory_mesh.h"

namespace espalier {

/// Everything that decides the bytes of a bake (`jobs` decides only how fast they come).
struct BakeOptions {
    ImportOptions import;      ///< how the file is read
    SanitizeOptions sanitize;  ///< how the mesh is cleaned
    /// At most one of each hierarchy, in any order: `options.trees = {aabb_tree(), box_tree()}`. Each has its
    /// request in its own header: builder/aabb/options.h, ...
    std::vector<TreeRequest> trees = default_trees();
    unsigned jobs = 0;    ///< threads; 0: one a core
    bool strict = false;  ///< fail with kNotSafe where a repair or an open mesh could change collisions
};

/// What a bake did and how long it took.
struct BakeReport {
    SanitizeReport sanitize;        ///< what was changed
    std::vector<TreeReport> trees;  ///< one entry a hierarchy
    std::uint64_t file_bytes = 0;   ///< size of the asset
    double seconds = 0;             ///< of the whole bake
};

/// The bytes of an asset, and the report.
struct Baked {
    std::vector<std::uint8_t> bytes;  ///< of the asset
    BakeReport report;                ///< what was done
};

/// Reads, cleans, builds and serializes. The caller writes the bytes (write_file_atomically). Fails with what
/// import, sanitize, the hierarchies and write_asset fail with; kNotSafe in strict mode when the mesh is not
/// closed, a repair removed or merged something or a hierarchy may miss contacts; kInternal "cancelled" when
/// progress was cancelled.
Result<Baked> bake(const std::filesystem::path& input, const BakeOptions& options, Progress& progress,
                   HierarchyRows list = all_hierarchies());

/// The same for a mesh in memory: the bytes are those of a file with the same points and polygons, but for
/// the recorded hash, unless it is given, and the unit, where the file states one and the options do not.
Result<Baked> bake(const MemoryMesh& mesh, const BakeOptions& options, Progress& progress,
                   HierarchyRows list = all_hierarchies());

/// The options as the asset records them, by their names on the command line, sorted.
std::vector<std::pair<std::string, std::string>> recorded_options(const BakeOptions& options,
                                                                  HierarchyRows list = all_hierarchies());

}  // namespace espalier
