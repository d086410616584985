// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/meshes.h"

#include <fstream>
#include <stdexcept>

#include "builder/import/import.h"
#include "corpus/registry.h"
#include "tests/support/draw.h"

namespace espalier::testing {

TriangleMesh random_soup(std::uint64_t seed, std::uint32_t triangles) {
    Draw draw(seed);
    TriangleMesh mesh;
    for (std::uint32_t i = 0; i < triangles; ++i) {
        const Eigen::Vector3d center = draw.in_cube();
        const double size = draw.power_of_two(-9, 0);
        const auto first = static_cast<std::uint32_t>(mesh.positions.size());
        for (int corner = 0; corner < 3; ++corner)
            mesh.positions.push_back((center + size * draw.in_cube()).cast<float>());
        mesh.triangles.push_back({first, first + 1, first + 2});
    }
    return mesh;
}

std::vector<NamedTriangles> ten_small_meshes(std::uint32_t triangles) {
    std::vector<NamedTriangles> meshes;
    for (const corpus::CorpusMesh& kind : corpus::corpus_meshes()) {
        // Its pieces are many, so that it has no version with few triangles.
        if (kind.name == "engine-bay" || kind.name == "uv-sphere") continue;
        meshes.push_back({kind.name, kind.make_near(triangles)});
    }
    meshes.push_back({"soup", random_soup(1, triangles)});
    return meshes;
}

std::vector<std::string> real_mesh_names(const std::filesystem::path& folder) {
    std::ifstream list(folder / "meshes.txt");
    if (!list) throw std::runtime_error((folder / "meshes.txt").string() + " is missing: run corpus/fetch");
    std::vector<std::string> names;
    for (std::string line; std::getline(list, line);)
        if (!line.empty()) names.push_back(line);
    return names;
}

SanitizedMesh load_real_mesh(const std::filesystem::path& file) {
    const Result<PolygonSoup> soup = import_mesh(file);
    if (!soup) throw std::runtime_error(file.string() + ": " + soup.error().message);
    Result<SanitizedMesh> clean = sanitize(soup.value());
    if (!clean) throw std::runtime_error(file.string() + ": " + clean.error().message);
    return std::move(clean).value();
}

}  // namespace espalier::testing
