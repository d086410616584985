// SPDX-License-Identifier: GPL-3.0-or-later
// Scenes of COLLADA, FBX and 3DS files: each mesh once, nodes under the artist's names, everything where it
// was put.
#include <assimp/scene.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <assimp/Exporter.hpp>
#include <map>
#include <memory>
#include <string>

#include "builder/import/import.h"
#include "tests/builder/import/sample_files.h"
#include "tests/support/temporary_folder.h"

namespace espalier {
namespace {

aiMesh* triangle() {
    auto* mesh = new aiMesh;
    mesh->mName = "triangle";
    mesh->mPrimitiveTypes = aiPrimitiveType_TRIANGLE;
    mesh->mNumVertices = 3;
    mesh->mVertices = new aiVector3D[3]{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}};
    mesh->mNumFaces = 1;
    mesh->mFaces = new aiFace[1];
    mesh->mFaces[0].mNumIndices = 3;
    mesh->mFaces[0].mIndices = new unsigned int[3]{0, 1, 2};
    return mesh;
}

aiNode* node(const char* name, const aiMatrix4x4& transform, bool with_mesh) {
    auto* made = new aiNode(name);
    made->mTransformation = transform;
    if (with_mesh) {
        made->mNumMeshes = 1;
        made->mMeshes = new unsigned int[1]{0};
    }
    return made;
}

/// An arm at z = 5 that holds a hand, turned about z and moved; and a second triangle that hangs on nothing.
std::string exported(const char* format) {
    const auto scene = std::make_unique<aiScene>();
    scene->mNumMeshes = 1;
    scene->mMeshes = new aiMesh* [1] { triangle() };
    scene->mNumMaterials = 1;
    scene->mMaterials = new aiMaterial* [1] { new aiMaterial };
    aiMatrix4x4 up;
    aiMatrix4x4 turn;
    aiMatrix4x4 aside;
    aiMatrix4x4::Translation({0, 0, 5}, up);
    aiMatrix4x4::RotationZ(float(M_PI / 2), turn);
    aiMatrix4x4::Translation({7, 0, 0}, aside);
    scene->mRootNode = new aiNode("root");
    aiNode* arm = node("arm", up, false);
    aiNode* hand = node("hand", aside * turn, true);
    aiNode* other = node("other", aside, true);
    arm->addChildren(1, &hand);
    aiNode* top[2] = {arm, other};
    scene->mRootNode->addChildren(2, top);
    scene->mMetaData = new aiMetadata;
    Assimp::Exporter exporter;
    const aiExportDataBlob* blob = exporter.ExportToBlob(scene.get(), format);
    if (blob == nullptr) throw std::runtime_error(exporter.GetErrorString());
    return {static_cast<const char*>(blob->data), blob->size};
}

/// The middle of what each node places, by the node's name.
std::map<std::string, Eigen::Vector3d> middles(const Scene& scene) {
    std::map<std::string, Eigen::Vector3d> found;
    const auto world = world_transforms(scene);
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
        if (scene.nodes[i].mesh == kNone) continue;
        Eigen::Vector3d sum = Eigen::Vector3d::Zero();
        const auto& points = scene.meshes[scene.nodes[i].mesh].soup.points;
        for (const auto& point : points) sum += world[i] * point;
        found[scene.nodes[i].name] = sum / double(points.size());
    }
    return found;
}

class AssimpScene : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(AssimpScene, PlacesEachMeshUnderItsNodesNames) {
    const auto [format, extension] = GetParam();
    const testing::TemporaryFolder folder;
    const auto imported = import_scene(folder.write(std::string("robot") + extension, exported(format)), {});
    ASSERT_TRUE(imported.ok()) << imported.error().message;
    const Scene& scene = imported.value();
    EXPECT_EQ(scene.name, "robot");
    EXPECT_EQ(scene.meshes.size(), 1u) << "stored once, placed twice";
    const auto placed = middles(scene);
    ASSERT_EQ(placed.size(), 2u);
    ASSERT_TRUE(placed.contains("hand") && placed.contains("other")) << placed.begin()->first;
    EXPECT_TRUE(placed.at("hand").isApprox(Eigen::Vector3d(7 - 2.0 / 3, 1.0 / 3, 5), 1e-5))
        << placed.at("hand").transpose();
    EXPECT_TRUE(placed.at("other").isApprox(Eigen::Vector3d(7 + 1.0 / 3, 2.0 / 3, 0), 1e-5))
        << placed.at("other").transpose();
    for (const SceneNode& each : scene.nodes)
        EXPECT_TRUE(each.name == "arm" || each.name == "hand" || each.name == "other" || each.name == "root")
            << "not the artist's: " << each.name;
}

INSTANTIATE_TEST_SUITE_P(Formats, AssimpScene,
                         ::testing::Values(std::pair("collada", ".dae"), std::pair("fbxa", ".fbx")),
                         [](const auto& test) { return std::string(test.param.second + 1); });

TEST(ColladaNames, AreThoseOfTheArtistNotTheIdentifiers) {
    std::string text = sample_file("plain.dae");
    const std::size_t at = text.find("<node id=\"");
    ASSERT_NE(at, std::string::npos);
    const std::size_t name = text.find("name=\"", at) + 6;
    ASSERT_LT(name, text.find('>', at));
    text.replace(name, text.find('"', name) - name, "Left wheel");
    const testing::TemporaryFolder folder;
    const auto imported = import_scene(folder.write("a.dae", text), {});
    ASSERT_TRUE(imported.ok()) << imported.error().message;
    bool found = false;
    for (const SceneNode& each : imported.value().nodes) found |= each.name == "Left wheel";
    EXPECT_TRUE(found);
}

TEST(ColladaText, MayHaveSpacesBeforeNumbers) {
    std::string text = sample_file("plain.dae");
    const std::size_t at = text.find("<float_array");
    ASSERT_NE(at, std::string::npos);
    const std::size_t number = text.find('>', at) + 1;
    text.insert(number, "\n\t  ");
    text.insert(text.find("</asset>") + 8,
                "<library_effects><effect id=\"e\"><profile_COMMON><technique sid=\"t\"><phong><diffuse>"
                "<color>  1 0 0 1 </color>"
                "</diffuse></phong></technique></profile_COMMON></effect></library_effects>");
    const testing::TemporaryFolder folder;
    const auto imported = import_mesh(folder.write("spaces.dae", text), {});
    ASSERT_TRUE(imported.ok()) << imported.error().message;
    EXPECT_EQ(imported.value().points,
              import_mesh(folder.write("plain.dae", sample_file("plain.dae")), {}).value().points);
}

}  // namespace
}  // namespace espalier
