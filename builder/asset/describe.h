// SPDX-License-Identifier: GPL-3.0-or-later
// What is in an asset, counted and measured: for dumps and reports.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "builder/base/progress.h"
#include "builder/base/result.h"

namespace espalier {

/// One level of a hierarchy; level 0 is the root.
struct LevelDescription {
    std::uint64_t nodes = 0;
    std::uint64_t leaves = 0;     ///< that hang from this level's nodes
    std::uint64_t triangles = 0;  ///< in those leaves
};

/// A level of a sphere tree: how tight it is.
struct SphereLevelDescription {
    double error_mean = 0;
    double error_max = 0;
    double union_volume = 0;
    double outside_volume = 0;
};

/// What a sphere tree promises.
struct SphereDescription {
    std::string method;    ///< "best", "hubbard", "octree"
    std::string coverage;  ///< "full", "level", "sampled"
    bool proved = false;   ///< the coverage
    bool volume_proved = false;
    bool closed = false;  ///< errors count from the solid, not from the triangles
    double solid_volume = 0;
    std::string limit;  ///< what ended the refinement: "count" or "error"
    std::uint32_t branch = 0;
    bool dag = false;
    std::uint64_t shared = 0;  ///< links to children of neighbours, of all spheres
    std::vector<SphereLevelDescription> levels;
};

/// What only a cell tree has.
struct CellStatistics {
    std::uint64_t empty_cells = 0;
    double empty_volume = 0;  ///< share of the bounds' volume that lies in empty cells
    std::uint64_t edges = 0;
    double triangle_duplication = 0;  ///< entries in all leaves for every triangle
    double edge_duplication = 0;      ///< likewise for every edge
};

struct TreeDescription {
    std::string name;  ///< "aabb", "box", "cell", "sphere"
    std::uint32_t depth = 0;
    std::uint64_t nodes = 0;
    std::uint64_t leaves = 0;
    std::uint64_t bytes = 0;  ///< of the hierarchy, mesh excluded
    double bytes_per_triangle = 0;
    std::vector<LevelDescription> levels;
    std::vector<std::uint64_t> leaf_fill;  ///< [n]: leaves that hold n triangles; empty for sphere trees
    std::optional<SphereDescription> sphere = {};
    std::optional<CellStatistics> cells = {};  ///< of the cell tree
};

/// A vector of the file and its bytes.
struct SectionDescription {
    std::string name;  ///< "positions", "aabb nodes", ...
    std::uint64_t bytes = 0;
};

struct PartDescription {
    std::string name;
    std::array<double, 3> origin{};
    std::array<float, 3> lo{}, hi{};
    bool closed = false;
    std::uint64_t vertices = 0;
    std::uint64_t triangles = 0;
    std::uint32_t index_bits = 0;  ///< 16 or 32
    std::vector<SectionDescription> sections;
    std::vector<TreeDescription> trees;  ///< those that the part has
};

struct AssetDescription {
    std::uint32_t version_major = 0, version_minor = 0;
    std::uint32_t builder_revision = 0;
    std::uint64_t checksum = 0;
    std::uint64_t file_bytes = 0;
    std::string source_name;
    std::string source_sha256;  ///< 64 hexadecimal digits; empty: not recorded
    std::string unit;
    double scale = 1.0;
    std::vector<std::pair<std::string, std::string>> options;  ///< sorted by name
    std::vector<PartDescription> parts;
    std::uint64_t other_bytes = 0;  ///< of the file, in no section: header, tables, provenance, padding
};

/// One sphere in the coordinates of the source (scaled).
struct SphereLine {
    std::uint32_t level = 0;
    double x = 0, y = 0, z = 0, radius = 0, error = 0;
};

/// All spheres of all parts, level by level; none where there is no sphere tree. Fails as describe_asset
/// does.
Result<std::vector<SphereLine>> list_spheres(std::span<const std::uint8_t> bytes);

/// The medial set of part 0's mesh as the text of a PLY file, in the coordinates of the source. Fails as
/// describe_asset does, or when `progress` was cancelled.
Result<std::string> medial_ply_of(std::span<const std::uint8_t> bytes, Progress& progress);

/// Describes the asset in `bytes`, after a full verification. Fails with kInvalidInput when the bytes are no
/// sound asset, with kUnsupported when they are of another major version. `bytes` need no alignment.
Result<AssetDescription> describe_asset(std::span<const std::uint8_t> bytes);

}  // namespace espalier
