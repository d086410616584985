// SPDX-License-Identifier: GPL-3.0-or-later
// What is in an asset, counted and measured: for dumps and reports.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "builder/asset/open_asset.h"
#include "builder/base/progress.h"
#include "builder/base/result.h"
#include "builder/hierarchies.h"

namespace espalier {

/// What one shape of an asset holds.
struct ShapeDescription {
    std::string name;                          ///< its own
    std::array<double, 3> origin{};            ///< of the stored coordinates, in the source frame
    std::array<float, 3> lo{};                 ///< lower corner of the bounds
    std::array<float, 3> hi{};                 ///< upper corner
    bool closed = false;                       ///< the surface has an inside
    std::uint64_t vertices = 0;                ///< number of vertices
    std::uint64_t triangles = 0;               ///< number of triangles
    std::uint32_t index_bits = 0;              ///< 16 or 32
    std::vector<SectionDescription> sections;  ///< the mesh's, then those of all trees
    std::vector<TreeDescription> trees;        ///< those that the shape has
    std::vector<std::uint32_t> parts;          ///< that place it
};

/// A part of an asset.
struct PartDescription {
    std::string name;         ///< U+FFFD for what is no text
    std::string joint_name;   ///< empty: none
    PartNode node;            ///< as stored
    std::uint32_t depth = 0;  ///< parents above it
};

/// Pairs of parts that need no test.
struct PairDescription {
    std::vector<PartPair> pairs;                               ///< as stored
    std::vector<std::pair<PairReason, std::uint64_t>> counts;  ///< of each reason that there is
    std::uint64_t proved = 0;                                  ///< of all
};

/// What an asset holds.
struct AssetDescription {
    std::uint32_t version_major = 0;                           ///< of the format
    std::uint32_t version_minor = 0;                           ///< of the format
    std::uint32_t builder_revision = 0;                        ///< of the builder that wrote it
    std::uint64_t checksum = 0;                                ///< as stored
    std::uint64_t file_bytes = 0;                              ///< size of the asset
    std::string source_name;                                   ///< of the mesh file
    std::string source_sha256;                                 ///< 64 hexadecimal digits; empty: not recorded
    std::string unit;                                          ///< of the coordinates; empty: not stated
    double scale = 1.0;                                        ///< that was applied
    std::vector<std::pair<std::string, std::string>> options;  ///< sorted by name
    std::vector<ShapeDescription> shapes;                      ///< at least one
    bool has_parts = false;                  ///< the file lists parts; else every shape is one, at rest
    std::vector<PartDescription> parts;      ///< at least one, parents before their children
    std::vector<std::string> configuration;  ///< names of the values of a configuration, in their order
    PairDescription pairs;                   ///< that need no test
    std::uint64_t other_bytes = 0;  ///< of the file, in no section: header, tables, provenance, padding
};

/// Verifies what the runtime does not look at: the provenance. Fails with kInvalidInput.
Result<Success> verify_provenance(const Asset& asset);

/// Describes an asset. Fails as verify_provenance does.
Result<AssetDescription> describe_asset(const OpenedAsset& opened, HierarchyRows list = all_hierarchies());

/// The medial set of a verified shape's mesh as the text of a PLY file, in the coordinates of the source.
/// Fails when `progress` was cancelled.
Result<std::string> medial_ply_of(const ShapeView& part, Progress& progress);

}  // namespace espalier
