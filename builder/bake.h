// SPDX-License-Identifier: GPL-3.0-or-later
// The whole way from a mesh or a body, in a file or in memory, to the bytes of an asset, as one call.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "builder/base/progress.h"
#include "builder/base/result.h"
#include "builder/body/body_description.h"
#include "builder/body/scene_parts.h"
#include "builder/clean/sanitize.h"
#include "builder/hierarchies.h"
#include "builder/import/import.h"
#include "builder/import/memory_mesh.h"

namespace espalier {

/// Everything that decides the bytes of a bake (`jobs` decides only how fast they come).
struct BakeOptions {
    ImportOptions import;      ///< how the file is read
    SceneChoice scene;         ///< which nodes of a scene become parts
    bool merge = false;        ///< all that a scene places is one part with one shape, not one a node
    SanitizeOptions sanitize;  ///< how a mesh is cleaned
    /// At most one of each hierarchy, in any order: `options.trees = {aabb_tree(), box_tree()}`. Each has its
    /// request in its own header: builder/aabb/options.h, ... A BodyShape may ask for others.
    std::vector<TreeRequest> trees = default_trees();
    unsigned jobs = 0;    ///< threads; 0: one a core
    bool strict = false;  ///< fail with kNotSafe where a repair or an open mesh could change collisions
};

/// What was done to one shape.
struct ShapeReport {
    std::string name;               ///< as it is stored
    bool vanished = false;          ///< no triangle was left, so it is not stored (BodyShape::may_vanish)
    SanitizeReport sanitize;        ///< what was changed
    std::vector<TreeReport> trees;  ///< one entry a hierarchy
};

/// What a bake did and how long it took.
struct BakeReport {
    /// Of all shapes together: sums, the largest rounding, what holds of all; findings of one number are one
    /// finding that names the first shape, behind those of the body. Of one shape: its own.
    SanitizeReport sanitize;
    /// One entry a hierarchy: sums over the shapes, the largest depth, facts only if there is one shape.
    std::vector<TreeReport> trees;
    std::vector<ShapeReport> shapes;     ///< in the order of the body, also those that vanished
    std::uint64_t parts = 0;             ///< also frames
    std::uint64_t placed_triangles = 0;  ///< those of a shape count once for each part that has it
    std::uint64_t file_bytes = 0;        ///< size of the asset
    double seconds = 0;                  ///< of the whole bake
};

/// The bytes of an asset, and the report.
struct Baked {
    std::vector<std::uint8_t> bytes;  ///< of the asset
    BakeReport report;                ///< what was done
};

/// Reads a file with all its parts, cleans, builds and serializes. The caller writes the bytes
/// (write_file_atomically). Fails with what import, body_of_scene (builder/body/scene_body.h), sanitize, the
/// hierarchies and write_asset fail with; kNotSafe in strict mode when the mesh is not closed, a repair
/// removed or merged something or a hierarchy may miss contacts; kInternal "cancelled" when progress was
/// cancelled.
Result<Baked> bake(const std::filesystem::path& input, const BakeOptions& options, Progress& progress,
                   HierarchyRows list = all_hierarchies());

/// The same for several files as one asset, in one frame: a file that places one mesh is a part called as the
/// file without its extension (join_scenes). Precondition: at least one.
Result<Baked> bake(std::span<const std::filesystem::path> inputs, const BakeOptions& options,
                   Progress& progress, HierarchyRows list = all_hierarchies());

/// The same for a mesh in memory: the bytes are those of a file with the same points and polygons, but for
/// the recorded hash, unless it is given, and the unit, where the file states one and the options do not.
Result<Baked> bake(const MemoryMesh& mesh, const BakeOptions& options, Progress& progress,
                   HierarchyRows list = all_hierarchies());

/// The same for a body from memory: each shape is cleaned, built and stored once, several at a time; the
/// bytes are the same for any number of threads. `options.import` is only recorded: shapes and parts are in
/// their final unit already. Fails with what stored_parts (builder/body/stored_parts.h), sanitize, the
/// hierarchies and write_asset fail with, what concerns a shape with its name if there are several, and with
/// kNotSafe and kInternal as above.
Result<Baked> bake_body(const BodyDescription& body, const BakeOptions& options, Progress& progress,
                        HierarchyRows list = all_hierarchies());

/// Bakes several bodies, each to an asset of its own, in their order.
std::vector<Result<Baked>> bake_bodies(std::span<const BodyDescription> bodies, const BakeOptions& options,
                                       Progress& progress, HierarchyRows list = all_hierarchies());

/// The options as the asset records them, by their names on the command line, sorted.
std::vector<std::pair<std::string, std::string>> recorded_options(const BakeOptions& options,
                                                                  HierarchyRows list = all_hierarchies());

}  // namespace espalier
