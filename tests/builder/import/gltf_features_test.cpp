// SPDX-License-Identifier: GPL-3.0-or-later
// What glTF files can hold: each feature in a file made here, against what its specification says.
#include <gtest/gtest.h>
#include <meshoptimizer.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>

#include "builder/import/import.h"
#include "corpus/icosphere.h"
#include "tests/builder/import/gltf_file.h"
#include "tests/support/temporary_folder.h"

namespace espalier::testing {
namespace {

using Eigen::Vector3d;

constexpr int kByte = 5120, kUnsignedByte = 5121, kShort = 5122, kUnsignedShort = 5123, kFloat = 5126;

const std::vector<float> kTriangle{0, 0, 0, 1, 0, 0, 0, 1, 0};

Scene read(const std::string& bytes, const std::string& name = "a.gltf", const std::string& scene = "") {
    const TemporaryFolder folder;
    auto result = import_scene(folder.write(name, bytes), {.unit = {}, .scene = scene});
    if (!result) throw std::runtime_error(result.error().message);
    return std::move(result).value();
}

PolygonSoup merged(const GltfFile& file) {
    auto soup = merge_scene(read(file.text()));
    if (!soup) throw std::runtime_error(soup.error().message);
    return std::move(soup).value();
}

Eigen::AlignedBox3d box_of(const PolygonSoup& soup) {
    Eigen::AlignedBox3d box;
    for (const std::uint32_t corner : soup.corners) box.extend(soup.points[corner]);
    return box;
}

void expect_near(const Vector3d& point, const Vector3d& expected, double tolerance = 1e-12) {
    EXPECT_LE((point - expected).cwiseAbs().maxCoeff(), tolerance)
        << point.transpose() << " is not " << expected.transpose();
}

/// Six times the volume that the faces enclose, with the sign of their winding.
double signed_volume(const PolygonSoup& soup) {
    double volume = 0;
    for (std::size_t i = 0; i < soup.polygon_count(); ++i) {
        const auto p = soup.polygon(i);
        volume += soup.points[p[0]].dot(soup.points[p[1]].cross(soup.points[p[2]]));
    }
    return volume;
}

TriangleMesh ball() {
    return corpus::make_icosphere({1.0, 2});
}

/// A file with one triangle as mesh 0, and no node.
GltfFile triangle_file() {
    GltfFile file;
    file.mesh({{"attributes", {{"POSITION", file.floats(kTriangle, "VEC3")}}}});
    return file;
}

// --- Variants of one model ---

TEST(GltfVariants, AgreeInCountAndBox) {
    GltfFile plain, edgebreaker, sequential, meshopt;
    for (GltfFile* file : {&plain, &edgebreaker, &sequential, &meshopt}) file->node({{"mesh", 0}});
    plain.plain_mesh(ball());
    edgebreaker.draco_mesh(ball(), 12);
    sequential.draco_mesh(ball(), 0, false);
    meshopt.meshopt_mesh(ball());
    const PolygonSoup expected = merged(plain);
    ASSERT_EQ(expected.polygon_count(), 320u);
    const Eigen::AlignedBox3d box = box_of(expected);
    const std::pair<const GltfFile*, double> variants[] = {
        {&edgebreaker, 2.0 / 4095}, {&sequential, 0}, {&meshopt, 0}};
    for (const auto& [file, step] : variants) {
        SCOPED_TRACE(step);
        const PolygonSoup soup = merged(*file);
        EXPECT_EQ(soup.polygon_count(), expected.polygon_count());
        EXPECT_EQ(soup.points.size(), expected.points.size());
        expect_near(box_of(soup).min(), box.min(), step);
        expect_near(box_of(soup).max(), box.max(), step);
        EXPECT_NEAR(signed_volume(soup), signed_volume(expected), 100 * step + 1e-9);
    }
}

TEST(GltfVariants, TextAndBinaryAreAlike) {
    GltfFile file;
    file.node({{"mesh", file.meshopt_mesh(ball())}});
    const Scene text = read(file.text()), binary = read(file.glb(), "a.glb");
    EXPECT_EQ(text.meshes[0].soup.points, binary.meshes[0].soup.points);
    EXPECT_EQ(text.meshes[0].soup.corners, binary.meshes[0].soup.corners);
}

TEST(GltfDraco, ItsAttributesCountWhereAccessorsHaveAFallbackToo) {
    GltfFile file;
    const std::uint64_t mesh = file.draco_mesh(ball(), 0);
    file.node({{"mesh", mesh}});
    const Json accessors = file.json["accessors"];
    file.json["accessors"][0]["bufferView"] =
        file.view(std::string(12 * accessors[0]["count"].get<std::size_t>(), '\0'));
    file.json["accessors"][1]["bufferView"] =
        file.view(std::string(4 * accessors[1]["count"].get<std::size_t>(), '\0'));
    EXPECT_NEAR(box_of(merged(file)).diagonal().norm(), 2 * std::sqrt(3.0), 0.2);
}

// --- Accessors ---

TEST(GltfAccessors, SparseOnesReplaceElements) {
    GltfFile file = triangle_file();
    file.json["accessors"][0]["sparse"] = {
        {"count", 2},
        {"indices", {{"bufferView", file.view(bytes_of<std::uint8_t>({0, 2}))}, {"componentType", 5121}}},
        {"values", {{"bufferView", file.view(bytes_of<float>({7, 8, 9, 1, 2, 3}))}}}};
    file.node({{"mesh", 0}});
    const PolygonSoup soup = merged(file);
    EXPECT_EQ(soup.points, (std::vector<Vector3d>{{7, 8, 9}, {1, 0, 0}, {1, 2, 3}}));
}

TEST(GltfAccessors, SparseOnesWithoutAViewAreZeroElsewhere) {
    GltfFile file = triangle_file();
    file.json["accessors"][0].erase("bufferView");
    file.json["accessors"][0]["sparse"] = {
        {"count", 1},
        {"indices", {{"bufferView", file.view(bytes_of<std::uint16_t>({1}))}, {"componentType", 5123}}},
        {"values", {{"bufferView", file.view(bytes_of<float>({7, 8, 9}))}}}};
    file.node({{"mesh", 0}});
    EXPECT_EQ(merged(file).points, (std::vector<Vector3d>{{0, 0, 0}, {7, 8, 9}, {0, 0, 0}}));
}

TEST(GltfAccessors, InterleavedOnesMayEndWithTheLastElement) {
    GltfFile file;
    // Two accessors in one view: an offset, a stride, and nothing behind the last position.
    std::vector<float> values;
    for (int i = 0; i < 3; ++i) {
        values.insert(values.end(), {9, 9});
        values.insert(values.end(), kTriangle.begin() + 3 * i, kTriangle.begin() + 3 * i + 3);
    }
    const std::uint64_t view = file.view(bytes_of(values), 20);
    const std::uint64_t positions = file.accessor(view, kFloat, "VEC3", 3, {{"byteOffset", 8}});
    file.mesh({{"attributes", {{"POSITION", positions}}}});
    file.node({{"mesh", 0}});
    EXPECT_EQ(merged(file).points, (std::vector<Vector3d>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}));
}

struct Quantized {
    std::string name;
    int component;
    std::string bytes;  ///< of one element
    bool normalized;
    Vector3d expected;
};

class GltfQuantized : public ::testing::TestWithParam<Quantized> {};

TEST_P(GltfQuantized, PositionsAreWhatTheyStandFor) {
    const Quantized& wanted = GetParam();
    GltfFile file;
    file.require("KHR_mesh_quantization");
    // Elements begin at multiples of four bytes.
    std::string element = wanted.bytes;
    element.resize((element.size() + 3) / 4 * 4);
    const std::uint64_t view = file.view(element + element + element, element.size());
    const std::uint64_t positions =
        file.accessor(view, wanted.component, "VEC3", 3, {{"normalized", wanted.normalized}});
    file.mesh({{"attributes", {{"POSITION", positions}}}});
    file.node({{"mesh", 0}, {"scale", {0.5, 0.5, 2}}, {"translation", {10, 0, 0}}});
    const PolygonSoup soup = merged(file);
    const Vector3d p = wanted.expected;
    for (const Vector3d& point : soup.points) expect_near(point, {0.5 * p.x() + 10, 0.5 * p.y(), 2 * p.z()});
}

INSTANTIATE_TEST_SUITE_P(
    All, GltfQuantized,
    ::testing::Values(
        Quantized{"Byte", kByte, bytes_of<std::int8_t>({-128, 5, 127}), false, {-128, 5, 127}},
        Quantized{"ByteNormalized", kByte, bytes_of<std::int8_t>({-128, 0, 127}), true, {-1, 0, 1}},
        Quantized{"UnsignedByte", kUnsignedByte, bytes_of<std::uint8_t>({0, 5, 255}), false, {0, 5, 255}},
        Quantized{
            "UnsignedByteNormalized", kUnsignedByte, bytes_of<std::uint8_t>({0, 51, 255}), true, {0, 0.2, 1}},
        Quantized{"Short", kShort, bytes_of<std::int16_t>({-32768, 5, 32767}), false, {-32768, 5, 32767}},
        Quantized{"ShortNormalized", kShort, bytes_of<std::int16_t>({-32768, 0, 32767}), true, {-1, 0, 1}},
        Quantized{
            "UnsignedShort", kUnsignedShort, bytes_of<std::uint16_t>({0, 5, 65535}), false, {0, 5, 65535}},
        Quantized{"UnsignedShortNormalized",
                  kUnsignedShort,
                  bytes_of<std::uint16_t>({0, 13107, 65535}),
                  true,
                  {0, 0.2, 1}}),
    [](const auto& info) { return info.param.name; });

// --- meshoptimizer ---

TEST(GltfMeshopt, SequencesAndTwoByteIndicesAreRead) {
    for (const std::string mode : {"TRIANGLES", "INDICES"}) {
        for (const std::uint64_t width : {2, 4}) {
            SCOPED_TRACE(mode + std::to_string(width));
            GltfFile file;
            const TriangleMesh shape = ball();
            std::vector<std::uint16_t> narrow;
            for (const std::uint32_t corner : corner_indices(shape))
                narrow.push_back(static_cast<std::uint16_t>(corner));
            const std::string bytes = width == 2 ? bytes_of(narrow) : bytes_of(corner_indices(shape));
            const std::uint64_t indices = file.accessor(file.meshopt_view(bytes, width, mode),
                                                        width == 2 ? kUnsignedShort : 5125, "SCALAR", 960);
            const std::uint64_t positions = file.floats(coordinates(shape), "VEC3");
            file.mesh({{"attributes", {{"POSITION", positions}}}, {"indices", indices}});
            file.node({{"mesh", 0}});
            GltfFile plain;
            plain.plain_mesh(shape);
            plain.node({{"mesh", 0}});
            // The codec of triangles may turn one, as long as its winding stays.
            EXPECT_EQ(merged(file).polygon_count(), 320u);
            EXPECT_NEAR(signed_volume(merged(file)), signed_volume(merged(plain)), 1e-9);
        }
    }
}

TEST(GltfMeshopt, ExponentialFilterGivesFloats) {
    GltfFile file;
    const std::vector<float> positions{0.5F, -3, 1024, 1, 0, 0.25F, 0, 1, -8};
    std::string encoded(positions.size() * 4, '\0');
    meshopt_encodeFilterExp(encoded.data(), 3, 12, 15, positions.data());
    const std::uint64_t view = file.meshopt_view(encoded, 12, "ATTRIBUTES", "EXPONENTIAL");
    file.mesh({{"attributes", {{"POSITION", file.accessor(view, kFloat, "VEC3", 3)}}}});
    file.node({{"mesh", 0}});
    const PolygonSoup soup = merged(file);
    for (std::size_t i = 0; i < 3; ++i)
        expect_near(soup.points[i], {positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]}, 0.05);
}

TEST(GltfMeshopt, QuaternionFilterGivesRotations) {
    GltfFile file = triangle_file();
    const float half = std::sqrt(0.5F);
    const std::vector<float> rotations{0, 0, half, half, half, 0, 0, half};
    std::string encoded(16, '\0');
    meshopt_encodeFilterQuat(encoded.data(), 2, 8, 16, rotations.data());
    const std::uint64_t view = file.meshopt_view(encoded, 8, "ATTRIBUTES", "QUATERNION");
    const std::uint64_t rotation = file.accessor(view, kShort, "VEC4", 2, {{"normalized", true}});
    file.node({{"mesh", 0},
               {"extensions", {{"EXT_mesh_gpu_instancing", {{"attributes", {{"ROTATION", rotation}}}}}}}});
    const PolygonSoup soup = merged(file);
    ASSERT_EQ(soup.points.size(), 6u);
    expect_near(soup.points[1], {0, 1, 0}, 1e-4);
    expect_near(soup.points[5], {0, 0, 1}, 1e-4);
}

TEST(GltfMeshopt, OctahedralFilterGivesUnitVectors) {
    GltfFile file;
    file.require("KHR_mesh_quantization");
    const std::vector<float> directions{1, 0, 0, 0, 0, 0, -1, 0, 0, 0.6F, 0.8F, 0};
    for (const std::uint64_t stride : {4, 8}) {
        std::string encoded(3 * stride, '\0');
        meshopt_encodeFilterOct(encoded.data(), 3, stride, stride == 4 ? 8 : 16, directions.data());
        const std::uint64_t view = file.meshopt_view(encoded, stride, "ATTRIBUTES", "OCTAHEDRAL");
        const std::uint64_t positions =
            file.accessor(view, stride == 4 ? kByte : kShort, "VEC3", 3, {{"normalized", true}});
        file.node({{"mesh", file.mesh({{"attributes", {{"POSITION", positions}}}})}});
    }
    const PolygonSoup soup = merged(file);
    ASSERT_EQ(soup.points.size(), 6u);
    for (std::size_t i = 0; i < 6; ++i) {
        const float* d = &directions[4 * (i % 3)];
        expect_near(soup.points[i], {d[0], d[1], d[2]}, i < 3 ? 0.02 : 1e-4);
    }
}

TEST(GltfMeshopt, TheNewerExtensionIsReadFromItsFallback) {
    GltfFile file;
    file.node({{"mesh", file.plain_mesh(ball())}});
    file.require("KHR_meshopt_compression");
    file.json["bufferViews"][0]["extensions"] = {{"KHR_meshopt_compression", {{"mode", "ATTRIBUTES"}}}};
    EXPECT_EQ(merged(file).polygon_count(), 320u);
}

// --- Instances ---

Json instancing(const Json& attributes) {
    return {{"mesh", 0}, {"extensions", {{"EXT_mesh_gpu_instancing", {{"attributes", attributes}}}}}};
}

TEST(GltfInstances, EachIsPlacedInTheFrameOfItsNode) {
    GltfFile file = triangle_file();
    const float half = std::sqrt(0.5F);
    Json node = instancing({{"TRANSLATION", file.floats({0, 0, 0, 0, 0, 5}, "VEC3")},
                            {"ROTATION", file.floats({0, 0, 0, 1, 0, 0, half, half}, "VEC4")},
                            {"SCALE", file.floats({1, 1, 1, 2, 3, 4}, "VEC3")},
                            {"_ID", file.floats({1, 2}, "SCALAR")}});
    node["translation"] = {100, 0, 0};
    node["scale"] = {1, 1, 2};
    node["name"] = "tree";
    file.node(node);
    const Scene scene = read(file.text());
    ASSERT_EQ(scene.nodes.size(), 3u);
    EXPECT_EQ(scene.meshes.size(), 1u);
    EXPECT_EQ(scene.nodes[0].mesh, kNone);
    EXPECT_EQ(scene.nodes[2].name, "tree");
    const PolygonSoup soup = merged(file);
    ASSERT_EQ(soup.points.size(), 6u);
    expect_near(soup.points[1], {101, 0, 0});
    expect_near(soup.points[3], {100, 0, 10}, 1e-6);
    expect_near(soup.points[4], {100, 2, 10}, 1e-6);
    expect_near(soup.points[5], {97, 0, 10}, 1e-6);
}

// --- Morph targets ---

GltfFile morphing_file() {
    GltfFile file = triangle_file();
    const auto target = [&](float x) {
        return Json{{"POSITION", file.floats({x, 0, 0, x, 0, 0, x, 0, 0}, "VEC3")}};
    };
    file.json["meshes"][0]["primitives"][0]["targets"] = {target(10), target(100)};
    return file;
}

TEST(GltfMorph, DefaultWeightsAreTheNodesElseTheMeshsElseZero) {
    GltfFile file = morphing_file();
    file.node({{"mesh", 0}});
    EXPECT_EQ(merged(file).points[0], Vector3d(0, 0, 0));
    file.json["meshes"][0]["weights"] = {0.5, 1};
    EXPECT_EQ(merged(file).points[0], Vector3d(105, 0, 0));
    file.json["nodes"][0]["weights"] = {1, 0};
    EXPECT_EQ(merged(file).points[0], Vector3d(10, 0, 0));
}

TEST(GltfMorph, NodesOfOtherWeightsPlaceOtherMeshes) {
    GltfFile file = morphing_file();
    for (const double weight : {0.0, 1.0, 1.0}) file.node({{"mesh", 0}, {"weights", {weight, 0}}});
    const Scene scene = read(file.text());
    EXPECT_EQ(scene.meshes.size(), 2u);
    EXPECT_EQ(scene.nodes[1].mesh, scene.nodes[2].mesh);
    EXPECT_NE(scene.nodes[0].mesh, scene.nodes[1].mesh);
}

// --- Skins ---

std::vector<float> matrix(double x, double y, double z, double scale = 1) {
    std::vector<float> m(16, 0.0F);
    for (std::size_t k = 0; k < 3; ++k) m[5 * k] = static_cast<float>(scale);
    m[12] = static_cast<float>(x), m[13] = static_cast<float>(y), m[14] = static_cast<float>(z);
    m[15] = 1;
    return m;
}

/// A triangle whose points follow joint 0, joint 1, and both as 1 to 3.
GltfFile skinned_file() {
    GltfFile file = triangle_file();
    const std::uint64_t joints = file.accessor(
        file.view(bytes_of<std::uint8_t>({0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0})), kUnsignedByte, "VEC4", 3);
    const std::uint64_t weights =
        file.accessor(file.view(bytes_of<std::uint8_t>({255, 0, 0, 0, 255, 0, 0, 0, 51, 153, 0, 0})),
                      kUnsignedByte, "VEC4", 3, {{"normalized", true}});
    file.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = joints;
    file.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = weights;
    file.node({{"mesh", 0}, {"skin", 0}, {"name", "body"}, {"translation", {1000, 0, 0}}});
    file.node({{"children", {2}}, {"translation", {0, 0, 10}}});
    file.node({{"translation", {0, 0, 20}}});
    std::vector<float> binds = matrix(0, 0, -10);
    const std::vector<float> second = matrix(5, 0, 0);
    binds.insert(binds.end(), second.begin(), second.end());
    file.json["skins"] = {{{"joints", {1, 2}}, {"inverseBindMatrices", file.floats(binds, "MAT4")}}};
    return file;
}

TEST(GltfSkins, PointsFollowTheJointsAndNotTheNode) {
    const Scene scene = read(skinned_file().text());
    const PolygonSoup soup = merge_scene(scene).value();
    expect_near(soup.points[0], {0, 0, 0});
    expect_near(soup.points[1], {6, 0, 30});
    expect_near(soup.points[2], {3.75, 1, 22.5}, 1e-9);
    EXPECT_EQ(scene.nodes[0].name, "body");
    EXPECT_EQ(scene.nodes[0].parent, kNone);
}

TEST(GltfSkins, ANodeThatPressesFlatDoesNotMatter) {
    GltfFile file = skinned_file();
    file.json["nodes"][0]["scale"] = {0, 0, 0};
    expect_near(merged(file).points[1], {6, 0, 30});
}

TEST(GltfSkins, MirroringJointsKeepFacesOutward) {
    GltfFile file = skinned_file();
    EXPECT_EQ(merged(file).corners, (std::vector<std::uint32_t>{0, 1, 2}));
    file.json["nodes"][1]["scale"] = {-1, 1, 1};
    EXPECT_EQ(merged(file).corners, (std::vector<std::uint32_t>{2, 1, 0}));
}

TEST(GltfSkins, ChildrenOfASkinnedNodeFollowTheNode) {
    GltfFile file = skinned_file();
    file.json["nodes"][0]["children"] = {3};
    file.node({{"mesh", file.mesh({{"attributes", {{"POSITION", 0}}}})}});
    const PolygonSoup soup = merged(file);
    ASSERT_EQ(soup.points.size(), 6u);
    expect_near(soup.points[1], {6, 0, 30});
    expect_near(soup.points[4], {1001, 0, 0});
}

// --- Scenes and nodes ---

GltfFile two_scenes() {
    GltfFile file = triangle_file();
    file.node({{"mesh", 0}, {"name", "left"}});
    file.node({{"mesh", 0}, {"name", "right"}, {"translation", {5, 0, 0}}});
    file.json["scenes"] = {{{"nodes", {0}}, {"name", "first"}}, {{"nodes", {0, 1}}}};
    return file;
}

TEST(GltfScenes, AreChosenByNumberOrName) {
    GltfFile file = two_scenes();
    file.json["scene"] = 1;
    EXPECT_EQ(read(file.text()).nodes.size(), 2u);
    EXPECT_EQ(read(file.text(), "a.gltf", "0").nodes.size(), 1u);
    EXPECT_EQ(read(file.text(), "a.gltf", "first").nodes.size(), 1u);
    EXPECT_EQ(read(file.text(), "a.gltf", "1").scene_names, (std::vector<std::string>{"first", ""}));
    const TemporaryFolder folder;
    const auto unknown = import_scene(folder.write("a.gltf", file.text()), {.unit = {}, .scene = "third"});
    ASSERT_FALSE(unknown.ok());
    EXPECT_EQ(unknown.error().kind, ErrorKind::kInvalidInput);
    EXPECT_EQ(unknown.error().message,
              "there is no scene \"third\"; the file has 2 scenes: 0 \"first\", 1 \"\"");
}

TEST(GltfScenes, OnlyTheMeshesOfTheSceneThatIsReadAreLookedAt) {
    GltfFile file = two_scenes();
    // Of the other scene: broken, and far too large.
    file.json["accessors"].push_back({{"componentType", kFloat}, {"type", "VEC3"}, {"count", 4'000'000'000}});
    file.json["nodes"][1]["mesh"] = file.mesh({{"attributes", {{"POSITION", 1}}}});
    EXPECT_EQ(merged(file).polygon_count(), 1u);
}

TEST(GltfScenes, NodesKeepNamesParentsAndSharedMeshes) {
    GltfFile file = triangle_file();
    file.json["meshes"][0]["name"] = "wheel";
    file.node({{"children", {1, 2}}, {"name", "car"}});
    file.node({{"mesh", 0}, {"name", "front"}});
    file.node({{"mesh", 0}});
    const Scene scene = read(file.text());
    ASSERT_EQ(scene.nodes.size(), 3u);
    ASSERT_EQ(scene.meshes.size(), 1u);
    EXPECT_EQ(scene.meshes[0].name, "wheel");
    EXPECT_EQ(scene.nodes[0].name, "car");
    EXPECT_EQ(scene.nodes[0].mesh, kNone);
    EXPECT_EQ(scene.nodes[1].name, "front");
    EXPECT_EQ(scene.nodes[1].parent, 0u);
    EXPECT_EQ(scene.nodes[2].parent, 0u);
    EXPECT_EQ(scene.nodes[2].mesh, 0u);
    EXPECT_EQ(scene.name, "a");
}

TEST(GltfNodes, ARoundedRotationDoesNotStretch) {
    GltfFile file = triangle_file();
    file.node({{"mesh", 0}, {"rotation", {0, 0, 0.71, 0.71}}});
    expect_near(merged(file).points[1], {0, 1, 0});
}

TEST(GltfNodes, MirroredOnesKeepFacingOutward) {
    GltfFile file;
    file.node({{"mesh", file.draco_mesh(ball(), 0)}, {"scale", {-1, 2, 3}}});
    const double volume = signed_volume(merged(file));
    file.json["nodes"][0].erase("scale");
    EXPECT_NEAR(volume, 6 * signed_volume(merged(file)), 1e-5);
}

TEST(GltfExtensions, ThoseOfLooksAreLeftOutAlsoWhereRequired) {
    GltfFile file = triangle_file();
    file.node({{"mesh", 0}});
    for (const char* name : {"KHR_materials_unlit", "KHR_texture_basisu", "KHR_lights_punctual",
                             "EXT_texture_webp", "KHR_animation_pointer", "KHR_technique_webgl"})
        file.require(name);
    EXPECT_EQ(merged(file).polygon_count(), 1u);
}

TEST(GltfExtensions, UnknownOnesMayBeUsedByLooksAlone) {
    GltfFile file = triangle_file();
    file.node({{"mesh", 0}});
    file.require("ACME_glow");
    file.json["materials"] = {{{"extensions", {{"ACME_glow", {{"strength", 2}}}}}}};
    EXPECT_EQ(merged(file).polygon_count(), 1u);
    file.json["meshes"][0]["primitives"][0]["extensions"] = {{"ACME_glow", Json::object()}};
    const TemporaryFolder folder;
    const auto imported = import_scene(folder.write("a.gltf", file.text()));
    ASSERT_FALSE(imported.ok());
    EXPECT_EQ(imported.error().kind, ErrorKind::kUnsupported);
}

// --- What is hashed ---

TEST(GltfProvenance, HashesTheFileAndThenItsBuffers) {
    const TemporaryFolder folder;
    GltfFile file = triangle_file();
    file.node({{"mesh", 0}});
    Json json = Json::parse(file.text());
    json["buffers"][0]["uri"] = "a.bin";
    json["buffers"].push_back({{"uri", "b.bin"}, {"byteLength", 2}});
    const auto path = folder.write("a.gltf", json.dump());
    folder.write("a.bin", file.buffer);
    folder.write("b.bin", "xyz");
    const auto first = import_scene(path);
    ASSERT_TRUE(first.ok()) << first.error().message;
    EXPECT_EQ(first.value().provenance.sha256, sha256(json.dump() + file.buffer + "xyz").value());
    EXPECT_EQ(first.value().provenance.size, json.dump().size() + file.buffer.size() + 3);
    EXPECT_EQ(first.value().provenance.source_name, "a.gltf");
    folder.write("b.bin", "xyw");
    EXPECT_NE(import_scene(path).value().provenance.sha256, first.value().provenance.sha256);
}

}  // namespace
}  // namespace espalier::testing
