// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/harness/model.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>

#include "bench/harness/process.h"
#include "builder/aabb/row.h"
#include "builder/asset/write_asset.h"
#include "builder/box/row.h"
#include "builder/clean/sanitize.h"
#include "builder/import/import.h"
#include "corpus/registry.h"

namespace espalier_bench {
namespace fs = std::filesystem;

std::vector<ModelSource> model_sources(bool quick) {
    std::vector<ModelSource> sources = {
        {"torus-5000", "", "torus", 5000, false}, {"slender-craft", "", "slender-craft", 0, false},
        {"anchor", "anchor.off", "", 0, false},   {"elephant", "elephant.off", "", 0, false},
        {"homer", "homer.off", "", 0, false},     {"rotor", "rotor.off", "", 0, false},
        {"turbine", "turbine.off", "", 0, false}, {"armadillo", "armadillo.off", "", 0, false},
        {"boeing", "boeing.off", "", 0, false},
    };
    if (quick) sources.resize(5);
    if (!quick) sources.push_back({"torus-1M", "", "torus", 1000000, false});
    for (const std::uint32_t thousands : {1u, 4u, 16u, 64u, 256u, 1000u, 4000u})
        if (!quick || thousands <= 64)
            sources.push_back(
                {"scaling-" + std::to_string(thousands) + "k", "", "torus", thousands * 1000, true});
    return sources;
}

template <class T>
void write_array(const fs::path& path, const std::vector<T>& values) {
    const fs::path partial = path.string() + ".partial";
    {
        std::ofstream file(partial, std::ios::binary);
        file.write(reinterpret_cast<const char*>(values.data()),
                   static_cast<std::streamsize>(values.size() * sizeof(T)));
        if (!file.flush()) throw std::runtime_error(path.string() + ": cannot write");
    }
    fs::rename(partial, path);
}

template <class T>
std::vector<T> read_array(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error(path.string() + ": cannot read");
    std::vector<T> values(fs::file_size(path) / sizeof(T));
    file.read(reinterpret_cast<char*>(values.data()),
              static_cast<std::streamsize>(values.size() * sizeof(T)));
    return values;
}

template void write_array(const fs::path&, const std::vector<float>&);
template void write_array(const fs::path&, const std::vector<std::uint32_t>&);
template void write_array(const fs::path&, const std::vector<std::uint8_t>&);
template void write_array(const fs::path&, const std::vector<double>&);
template std::vector<float> read_array(const fs::path&);
template std::vector<std::uint32_t> read_array(const fs::path&);
template std::vector<double> read_array(const fs::path&);

namespace {

espalier::TriangleMesh make_mesh(const ModelSource& source, const fs::path& meshes) {
    if (source.mesh_file.empty()) {
        const espalier::corpus::CorpusMesh* kind = espalier::corpus::find_corpus_mesh(source.corpus_name);
        if (!kind) throw std::runtime_error(source.corpus_name + ": no such kind of mesh");
        return source.triangles ? kind->make_near(source.triangles) : kind->make();
    }
    const auto soup = espalier::import_mesh(meshes / source.mesh_file);
    if (!soup) throw std::runtime_error(source.mesh_file + ": " + soup.error().message);
    auto clean = espalier::sanitize(soup.value());
    if (!clean) throw std::runtime_error(source.mesh_file + ": " + clean.error().message);
    return std::move(clean).value().mesh;
}

/// Writes an asset with the given part, which holds the trees that it should have.
void write_part(espalier::BakedShape part, const std::string& name, const fs::path& path) {
    espalier::AssetContents contents;
    contents.provenance.source_name = name;
    part.name = name;
    contents.shapes.push_back(std::move(part));
    const auto bytes = espalier::write_asset(contents);
    if (!bytes) throw std::runtime_error(name + ": " + bytes.error().message);
    write_array(path, bytes.value());
}

void write_assets(const espalier::TriangleMesh& mesh, const std::string& name, const fs::path& folder) {
    espalier::Progress silent;
    espalier::BakedShape part;
    part.mesh = mesh;
    part.trees = {espalier::built_tree(espalier::build_aabb_tree(mesh, {}, silent))};
    write_part(part, name, folder / (name + ".espl"));
    part.trees = {
        espalier::built_tree(espalier::build_aabb_tree(mesh, {espalier::AabbSplit::kMedian, 1}, silent))};
    write_part(part, name, folder / (name + ".paper.espl"));
    part.trees = {espalier::built_tree(espalier::build_box_tree(mesh, {}, silent))};
    write_part(part, name, folder / (name + ".box.espl"));
}

void measure_box(ModelData& model) {
    double square = 0;
    for (int axis = 0; axis < 3; ++axis) {
        double lo = model.positions[axis], hi = lo;
        for (std::size_t i = axis; i < model.positions.size(); i += 3) {
            lo = std::min(lo, double(model.positions[i]));
            hi = std::max(hi, double(model.positions[i]));
        }
        model.centre[axis] = (lo + hi) / 2;
        model.extent = std::max(model.extent, hi - lo);
        square += (hi - lo) * (hi - lo);
    }
    model.diagonal = std::sqrt(square);
}

}  // namespace

void prepare_model(const ModelSource& source, const fs::path& meshes, const fs::path& folder) {
    fs::create_directories(folder);
    const espalier::TriangleMesh mesh = make_mesh(source, meshes);
    write_assets(mesh, source.name, folder);
    std::vector<std::uint32_t> corners;
    for (const espalier::Triangle& t : mesh.triangles) corners.insert(corners.end(), t.begin(), t.end());
    write_array(folder / (source.name + ".triangles"), corners);
    std::vector<float> positions;
    for (const Eigen::Vector3f& p : mesh.positions) positions.insert(positions.end(), {p.x(), p.y(), p.z()});
    write_array(folder / (source.name + ".positions"), positions);  // last: it says that all is there
}

ModelData load_model(const ModelSource& source, const fs::path& meshes, const fs::path& folder) {
    const fs::path positions = folder / (source.name + ".positions");
    if (!fs::exists(positions)) run_in_child(source.name, [&] { prepare_model(source, meshes, folder); });
    ModelData model;
    model.name = source.name;
    model.source =
        source.mesh_file.empty() ? "corpus " + source.corpus_name : "libcgal-demo " + source.mesh_file;
    model.positions = read_array<float>(positions);
    model.triangles = read_array<std::uint32_t>(folder / (source.name + ".triangles"));
    model.asset_path = (folder / (source.name + ".espl")).string();
    model.paper_asset_path = (folder / (source.name + ".paper.espl")).string();
    model.box_asset_path = (folder / (source.name + ".box.espl")).string();
    measure_box(model);
    return model;
}

}  // namespace espalier_bench
