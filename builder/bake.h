// SPDX-License-Identifier: GPL-3.0-or-later
// The whole way from a mesh file to the bytes of an asset, as one call.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "builder/aabb/aabb_tree.h"
#include "builder/asset/write_asset.h"
#include "builder/base/progress.h"
#include "builder/base/result.h"
#include "builder/box/box_tree.h"
#include "builder/cell/cell_tree.h"
#include "builder/clean/sanitize.h"
#include "builder/import/import.h"
#include "builder/sphere/sphere_tree.h"

namespace espalier {

/// Everything that decides the bytes of a bake (`jobs` decides only how fast they come).
struct BakeOptions {
    ImportOptions import;
    SanitizeOptions sanitize;
    std::optional<AabbTreeOptions> aabb = AabbTreeOptions{};  ///< empty: no aabb tree
    std::optional<BoxTreeOptions> box;                        ///< empty: no box tree
    std::optional<SphereTreeOptions> sphere;                  ///< empty: no sphere tree
    std::optional<CellTreeOptions> cell;                      ///< empty: no cell tree
    unsigned jobs = 0;                                        ///< threads; 0: one a core
    bool strict = false;  ///< fail with kNotSafe where a repair or an open mesh could change collisions
};

/// What was proved about a sphere tree, and how tight it became.
struct SphereTreeReport {
    CoverageCertificate certificate;
    SphereLimit limit = SphereLimit::kCount;
    std::uint32_t last_level = 0;  ///< spheres of the last level
    double error_max = 0;          ///< of the last level
    double outside_volume = 0;     ///< of the last level
    double solid_volume = 0;       ///< 0: there is no solid
};

/// Size of one baked hierarchy.
struct TreeReport {
    std::string name;  ///< "aabb", "box", "cell", "sphere"
    std::uint64_t nodes = 0;
    std::uint32_t depth = 0;
    std::uint64_t bytes = 0;                      ///< of the hierarchy, mesh excluded
    double seconds = 0;                           ///< build time; not part of the asset
    std::optional<SphereTreeReport> sphere = {};  ///< sphere trees only
};

struct BakeReport {
    SanitizeReport sanitize;
    std::vector<TreeReport> trees;
    std::uint64_t file_bytes = 0;
    double seconds = 0;
};

struct Baked {
    std::vector<std::uint8_t> bytes;
    BakeReport report;
};

/// Reads, cleans, builds and serializes. The caller writes the bytes (write_file_atomically). Fails with what
/// import, sanitize and write_asset fail with; kNotSafe in strict mode when the mesh is not closed, a
/// repair removed or merged something or a sphere tree's coverage is not proved; kInternal "cancelled" when
/// progress was cancelled.
Result<Baked> bake(const std::filesystem::path& input, const BakeOptions& options, Progress& progress);

/// The options as the asset records them, by their names on the command line, sorted.
std::vector<std::pair<std::string, std::string>> recorded_options(const BakeOptions& options);

}  // namespace espalier
