// SPDX-License-Identifier: GPL-3.0-or-later
// The models of the benchmark and how they are made ready: cleaned, baked and kept in a folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bench/harness/library.h"

namespace espalier_bench {

/// A model that can be prepared.
struct ModelSource {
    std::string name;
    std::string mesh_file;        ///< in the folder of the real meshes; empty: generated
    std::string corpus_name;      ///< kind of generated mesh
    std::uint32_t triangles = 0;  ///< wanted number; 0: the kind's default
    bool scaling = false;         ///< one of the series of protocol J
};

/// The ten models of the tables, then the tori of protocol J. Quick: the small ones of both.
std::vector<ModelSource> model_sources(bool quick);

/// Makes `source` ready in `folder` unless it is there, and reads it. Preparing happens in a process of its
/// own, so that this one never starts a thread pool. Throws std::runtime_error with the reason.
ModelData load_model(const ModelSource& source, const std::filesystem::path& meshes,
                     const std::filesystem::path& folder);

/// Cleans and bakes `source` into `folder` in this process. Throws as load_model does.
void prepare_model(const ModelSource& source, const std::filesystem::path& meshes,
                   const std::filesystem::path& folder);

/// Writes and reads arrays of plain values with their length.
template <class T>
void write_array(const std::filesystem::path& path, const std::vector<T>& values);
template <class T>
std::vector<T> read_array(const std::filesystem::path& path);

}  // namespace espalier_bench
