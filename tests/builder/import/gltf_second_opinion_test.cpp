// SPDX-License-Identifier: GPL-3.0-or-later
// tinygltf reads the same triangles and boxes: of files made here, and of real ones where they are.
#include <gtest/gtest.h>
#include <tiny_gltf.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "builder/import/import.h"
#include "corpus/icosphere.h"
#include "tests/builder/import/gltf_file.h"
#include "tests/support/draw.h"
#include "tests/support/temporary_folder.h"

namespace espalier::testing {
namespace {

/// Triangles and box of a mesh in its own frame.
struct Summary {
    std::size_t triangles = 0;
    Eigen::AlignedBox3d box;
};

double component(const unsigned char* bytes, int type) {
    const auto as = [bytes](auto value) {
        std::memcpy(&value, bytes, sizeof value);
        return static_cast<double>(value);
    };
    switch (type) {
        case TINYGLTF_COMPONENT_TYPE_BYTE:
            return as(std::int8_t{});
        case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE:
            return as(std::uint8_t{});
        case TINYGLTF_COMPONENT_TYPE_SHORT:
            return as(std::int16_t{});
        case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT:
            return as(std::uint16_t{});
        default:
            return as(float{});
    }
}

double stands_for(double value, const tinygltf::Accessor& accessor) {
    if (!accessor.normalized) return value;
    const double most[] = {127, 255, 32767, 65535};
    return std::max(-1.0, value / most[accessor.componentType - TINYGLTF_COMPONENT_TYPE_BYTE]);
}

/// By the accessor's bytes where they are plain, else by the box that it states.
Eigen::AlignedBox3d box_of(const tinygltf::Model& model, const tinygltf::Accessor& accessor, bool plain) {
    Eigen::AlignedBox3d box;
    if (!plain) {
        for (const auto* corner : {&accessor.minValues, &accessor.maxValues}) {
            if (corner->size() != 3) throw std::runtime_error("an accessor without a box");
            Eigen::Vector3d point;
            for (int k = 0; k < 3; ++k)
                point[k] = stands_for((*corner)[static_cast<std::size_t>(k)], accessor);
            box.extend(point);
        }
        return box;
    }
    const tinygltf::BufferView& view = model.bufferViews[static_cast<std::size_t>(accessor.bufferView)];
    const auto& bytes = model.buffers[static_cast<std::size_t>(view.buffer)].data;
    const auto stride = static_cast<std::size_t>(accessor.ByteStride(view));
    const int width = tinygltf::GetComponentSizeInBytes(static_cast<std::uint32_t>(accessor.componentType));
    for (std::size_t i = 0; i < accessor.count; ++i) {
        Eigen::Vector3d point;
        for (int k = 0; k < 3; ++k)
            point[k] = stands_for(component(&bytes.at(view.byteOffset + accessor.byteOffset + i * stride +
                                                      static_cast<std::size_t>(k * width)),
                                            accessor.componentType),
                                  accessor);
        box.extend(point);
    }
    return box;
}

Summary summary_of(const tinygltf::Model& model, const tinygltf::Mesh& mesh) {
    Summary summary;
    for (const tinygltf::Primitive& primitive : mesh.primitives) {
        const auto& positions =
            model.accessors[static_cast<std::size_t>(primitive.attributes.at("POSITION"))];
        std::size_t corners = positions.count;
        if (primitive.indices >= 0)
            corners = model.accessors[static_cast<std::size_t>(primitive.indices)].count;
        summary.triangles += primitive.mode == TINYGLTF_MODE_TRIANGLES ? corners / 3 : corners - 2;
        const bool plain =
            positions.bufferView >= 0 && !positions.sparse.isSparse &&
            model.bufferViews[static_cast<std::size_t>(positions.bufferView)].extensions.empty();
        summary.box.extend(box_of(model, positions, plain));
    }
    return summary;
}

/// The meshes that the default scene places without skin, by their numbers.
std::map<int, Summary> placed_meshes(const tinygltf::Model& model) {
    std::map<int, Summary> found;
    const std::size_t scene = model.defaultScene < 0 ? 0 : static_cast<std::size_t>(model.defaultScene);
    std::vector<int> open = model.scenes.at(scene).nodes;
    while (!open.empty()) {
        const tinygltf::Node& node = model.nodes[static_cast<std::size_t>(open.back())];
        open.pop_back();
        open.insert(open.end(), node.children.begin(), node.children.end());
        if (node.mesh >= 0 && node.skin < 0)
            found[node.mesh] = summary_of(model, model.meshes[static_cast<std::size_t>(node.mesh)]);
    }
    return found;
}

/// Pictures are not there.
bool no_image(tinygltf::Image*, int, std::string*, std::string*, int, int, const unsigned char*, int, void*) {
    return true;
}

/// None where tinygltf cannot read the file: it does not decompress.
std::optional<tinygltf::Model> model_of(const std::filesystem::path& path) {
    tinygltf::TinyGLTF reader;
    reader.SetImageLoader(no_image, nullptr);
    tinygltf::Model model;
    std::string error, warning;
    const bool read = path.extension() == ".glb"
                          ? reader.LoadBinaryFromFile(&model, &error, &warning, path.string())
                          : reader.LoadASCIIFromFile(&model, &error, &warning, path.string());
    if (!read) return std::nullopt;
    return model;
}

Eigen::AlignedBox3d box_of(const PolygonSoup& soup) {
    Eigen::AlignedBox3d box;
    for (const Eigen::Vector3d& point : soup.points) box.extend(point);
    return box;
}

/// How many meshes were compared; none where there is no second opinion.
std::size_t expect_alike(const std::filesystem::path& path, double tolerance) {
    SCOPED_TRACE(path.filename().string());
    const auto scene = import_scene(path);
    if (!scene) {
        ADD_FAILURE() << scene.error().message;
        return 0;
    }
    const std::optional<tinygltf::Model> model = model_of(path);
    if (!model) return 0;
    std::size_t compared = 0;
    for (const auto& [index, theirs] : placed_meshes(*model)) {
        // Ours are in another order: one of them must be it.
        const bool found = std::ranges::any_of(scene.value().meshes, [&, &theirs = theirs](const auto& mesh) {
            const Eigen::AlignedBox3d ours = box_of(mesh.soup);
            return mesh.soup.polygon_count() == theirs.triangles &&
                   (ours.min() - theirs.box.min()).norm() <= tolerance * theirs.box.diagonal().norm() &&
                   (ours.max() - theirs.box.max()).norm() <= tolerance * theirs.box.diagonal().norm();
        });
        EXPECT_TRUE(found) << "mesh " << index << " of " << theirs.triangles << " triangles";
        ++compared;
    }
    return compared;
}

TEST(GltfSecondOpinion, TinyGltfReadsFilesMadeHereAlike) {
    const TemporaryFolder folder;
    Draw draw(23);
    for (int round = 0; round < 50; ++round) {
        GltfFile file;
        file.require("KHR_mesh_quantization");
        const std::size_t count = 3 * (1 + draw.below(20)), stride = 12 + 4 * draw.below(5);
        const int type = static_cast<int>(5120 + draw.below(4));
        std::string bytes(count * stride, '\0');
        for (char& byte : bytes) byte = static_cast<char>(draw.bits());
        // Nothing behind the last element, whatever the stride.
        const std::size_t size = type < 5122 ? 3 : 6;
        bytes.resize((count - 1) * stride + size);
        const bool normalized = draw.coin();
        const std::uint64_t positions =
            file.accessor(file.view(bytes, stride), type, "VEC3", count, {{"normalized", normalized}});
        file.node({{"mesh", file.mesh({{"attributes", {{"POSITION", positions}}}})}});
        file.node({{"mesh", file.plain_mesh(corpus::make_icosphere({draw.between(0.1, 9), 1}))}});
        file.json["scenes"] = {{{"nodes", {0, 1}}}};
        EXPECT_EQ(expect_alike(folder.write("a.glb", file.glb()), 1e-12), 2u);
    }
}

TEST(GltfSecondOpinion, TinyGltfReadsRealFilesAlike) {
    const std::filesystem::path real = ESPALIER_REAL_DIR "/gltf";
    if (!std::filesystem::exists(real)) GTEST_SKIP() << real << " is not there";
    std::size_t files = 0, meshes = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(real)) {
        const auto extension = entry.path().extension();
        if (extension != ".gltf" && extension != ".glb") continue;
        // Some boxes are those of positions before they were rounded.
        const std::size_t compared = expect_alike(entry.path(), 1e-3);
        meshes += compared;
        files += compared > 0;
    }
    std::printf("%zu files, %zu meshes\n", files, meshes);
    EXPECT_GE(files, 8u);
}

}  // namespace
}  // namespace espalier::testing
