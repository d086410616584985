// SPDX-License-Identifier: GPL-3.0-or-later
// glTF files that are wrong in one place: the kind of error, and a message that names the place.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <functional>
#include <regex>

#include "builder/import/import.h"
#include "corpus/icosphere.h"
#include "tests/builder/import/gltf_file.h"
#include "tests/support/temporary_folder.h"

namespace espalier::testing {
namespace {

constexpr auto kInvalid = ErrorKind::kInvalidInput;
constexpr auto kUnsupported = ErrorKind::kUnsupported;
constexpr int kUnsignedByte = 5121;

const std::vector<float> kTriangle{0, 0, 0, 1, 0, 0, 0, 1, 0};

TriangleMesh ball() {
    return corpus::make_icosphere({1.0, 2});
}

GltfFile triangle() {
    GltfFile file;
    file.mesh({{"attributes", {{"POSITION", file.floats(kTriangle, "VEC3")}}}});
    file.node({{"mesh", 0}});
    return file;
}

GltfFile draco() {
    GltfFile file;
    file.node({{"mesh", file.draco_mesh(ball(), 11)}});
    return file;
}

GltfFile meshopt() {
    GltfFile file;
    file.node({{"mesh", file.meshopt_mesh(ball())}});
    return file;
}

Json& extension_of_view(GltfFile& file, std::size_t view) {
    return file.json["bufferViews"][view]["extensions"]["EXT_meshopt_compression"];
}

/// Where the bytes of a compressed view or stream begin.
std::size_t offset_of(const GltfFile& file, std::size_t view) {
    const Json& json = file.json["bufferViews"][view];
    return (json.contains("extensions") ? json["extensions"]["EXT_meshopt_compression"] : json)["byteOffset"]
        .get<std::size_t>();
}

GltfFile sparse(const std::vector<std::uint8_t>& indices, const Json& more = Json::object()) {
    GltfFile file = triangle();
    Json part = {{"count", indices.size()},
                 {"indices", {{"bufferView", file.view(bytes_of(indices))}, {"componentType", 5121}}},
                 {"values", {{"bufferView", file.view(std::string(12 * indices.size(), '\0'))}}}};
    part.update(more);
    file.json["accessors"][0]["sparse"] = part;
    return file;
}

GltfFile instanced(std::size_t translations, std::size_t scales) {
    GltfFile file = triangle();
    const Json attributes = {{"TRANSLATION", file.floats(std::vector<float>(3 * translations, 1), "VEC3")},
                             {"SCALE", file.floats(std::vector<float>(3 * scales, 1), "VEC3")}};
    file.json["nodes"][0]["extensions"] = {{"EXT_mesh_gpu_instancing", {{"attributes", attributes}}}};
    return file;
}

GltfFile skinned(float weight, std::uint8_t joint, std::vector<float> bind) {
    GltfFile file = triangle();
    const std::string joints(12, static_cast<char>(joint));
    Json& attributes = file.json["meshes"][0]["primitives"][0]["attributes"];
    attributes["JOINTS_0"] = file.accessor(file.view(joints), kUnsignedByte, "VEC4", 3);
    attributes["WEIGHTS_0"] = file.floats(std::vector<float>(12, weight), "VEC4");
    file.json["nodes"][0]["skin"] = 0;
    file.json["skins"] = {{{"joints", {0}}, {"inverseBindMatrices", file.floats(bind, "MAT4")}}};
    return file;
}

std::vector<float> diagonal(float value) {
    return {value, 0, 0, 0, 0, value, 0, 0, 0, 0, value, 0, 0, 0, 0, 1};
}

/// Nodes below each other, the last one with the mesh.
GltfFile chain(int nodes) {
    GltfFile file = triangle();
    file.json["nodes"].clear();
    for (int i = 0; i + 1 < nodes; ++i) file.node({{"children", {i + 1}}});
    file.node({{"mesh", 0}});
    return file;
}

struct BadFile {
    std::string name;
    std::function<GltfFile()> make;
    ErrorKind kind;
    std::string message;
};

/// `file` changed by `change`.
template <class Change>
std::function<GltfFile()> changed(GltfFile (*make)(), Change change) {
    return [=] {
        GltfFile file = make();
        change(file);
        return file;
    };
}

const std::vector<BadFile> kBadFiles{
    {"DracoDamaged",
     changed(draco, [](GltfFile& f) { f.buffer[40] = static_cast<char>(f.buffer[40] ^ 0x55); }), kInvalid,
     "^mesh 0, primitive 0: the Draco stream "},
    {"DracoTruncated", changed(draco, [](GltfFile& f) { f.json["bufferViews"][0]["byteLength"] = 60; }),
     kInvalid, "^mesh 0, primitive 0: the Draco stream is damaged"},
    {"DracoCutInItsHeader", changed(draco, [](GltfFile& f) { f.json["bufferViews"][0]["byteLength"] = 12; }),
     kInvalid, "^mesh 0, primitive 0: the Draco stream is truncated"},
    {"DracoIsNone", changed(draco, [](GltfFile& f) { f.buffer[0] = 'X'; }), kInvalid,
     "^mesh 0, primitive 0: its compressed bytes are not a Draco stream"},
    {"DracoPointCloud", changed(draco, [](GltfFile& f) { f.buffer[7] = 0; }), kInvalid, "holds no mesh"},
    {"DracoMetadata", changed(draco, [](GltfFile& f) { f.buffer[10] = '\x80'; }), kUnsupported, "metadata"},
    {"DracoOtherFaces", changed(draco, [](GltfFile& f) { f.json["accessors"][1]["count"] = 957; }), kInvalid,
     "^mesh 0, primitive 0: the Draco stream has 320 faces, but its accessors promise 319"},
    {"DracoOtherPoints", changed(draco, [](GltfFile& f) { f.json["accessors"][0]["count"] = 163; }), kInvalid,
     "^mesh 0, primitive 0: the Draco stream has 162 points, but its accessors promise 163"},
    {"DracoFewerPoints", changed(draco, [](GltfFile& f) { f.json["accessors"][0]["count"] = 100; }), kInvalid,
     "^mesh 0, primitive 0: the Draco stream has 162 vertices, but its accessors promise 100"},
    {"DracoAttributeMissing",
     changed(draco,
             [](GltfFile& f) {
                 f.json["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"]
                       ["attributes"]["POSITION"] = 77;
             }),
     kInvalid, "attribute 77 is not there"},
    // 2^31 points: in the variable width of the stream, behind 11 bytes of header and one of traversal.
    {"DracoPromisesTwoThousandMillionPoints",
     changed(draco,
             [](GltfFile& f) {
                 f.buffer.replace(12, 11, std::string("\x80\x80\x80\x80\x08\x80\x80\x80\x80\x08\0", 11));
             }),
     kUnsupported, "promises 2147483648 faces and 2147483648 vertices, which is too large"},
    {"AccessorsPromiseTwoThousandMillion",
     changed(draco, [](GltfFile& f) { f.json["accessors"][0]["count"] = 2147483648u; }), kUnsupported,
     "more than 100000000 triangles"},

    {"MeshoptDamaged", changed(meshopt, [](GltfFile& f) { f.buffer[offset_of(f, 0)] = '\x77'; }), kInvalid,
     "^bufferView 0: the meshopt stream is damaged.*ATTRIBUTES, error -1"},
    {"MeshoptTruncated", changed(meshopt, [](GltfFile& f) { extension_of_view(f, 0)["byteLength"] = 200; }),
     kInvalid, "^bufferView 0: the meshopt stream is damaged.*ATTRIBUTES, error -2"},
    {"MeshoptIndicesTruncated",
     changed(meshopt, [](GltfFile& f) { extension_of_view(f, 1)["byteLength"] = 340; }), kInvalid,
     "^bufferView 1: the meshopt stream is damaged.*TRIANGLES"},
    {"MeshoptCountDiffers", changed(meshopt, [](GltfFile& f) { extension_of_view(f, 0)["count"] = 161; }),
     kInvalid, "^bufferView 0 has 1944 bytes, but its compressed form promises 161 elements of 12"},
    {"MeshoptPromisesTwoThousandMillion",
     changed(meshopt,
             [](GltfFile& f) {
                 extension_of_view(f, 0)["count"] = 2147483648u;
                 f.json["bufferViews"][0]["byteLength"] = 12 * 2147483648u;
             }),
     kUnsupported, "bufferView 0 .*too large|buffers are larger"},
    {"MeshoptPromisesMoreThanItsBytesCanHold",
     changed(meshopt,
             [](GltfFile& f) {
                 extension_of_view(f, 0)["count"] = 10'000'000;
                 f.json["bufferViews"][0]["byteLength"] = 120'000'000;
             }),
     kInvalid, "^bufferView 0 promises 10000000 elements, more than [0-9]+ compressed bytes can hold"},
    {"MeshoptModeUnknown", changed(meshopt, [](GltfFile& f) { extension_of_view(f, 0)["mode"] = "POINTS"; }),
     kUnsupported, "bufferView 0 has the meshopt mode \"POINTS\""},
    {"MeshoptFilterUnknown",
     changed(meshopt, [](GltfFile& f) { extension_of_view(f, 0)["filter"] = "COLOR"; }), kUnsupported,
     "bufferView 0 has the meshopt filter \"COLOR\""},
    {"MeshoptFilterOfAnotherStride",
     changed(meshopt, [](GltfFile& f) { extension_of_view(f, 0)["filter"] = "QUATERNION"; }), kInvalid,
     "bufferView 0: the meshopt filter QUATERNION does not go with ATTRIBUTES of 12 bytes"},
    {"MeshoptStride", changed(meshopt, [](GltfFile& f) { extension_of_view(f, 0)["byteStride"] = 6; }),
     kInvalid, "bufferView 0: meshopt ATTRIBUTES cannot have elements of 6 bytes"},
    {"NewerMeshoptWithoutFallback",
     changed(triangle,
             [](GltfFile& f) {
                 f.json["bufferViews"][0]["extensions"] = {{"KHR_meshopt_compression", Json::object()}};
                 f.json["bufferViews"][0]["buffer"] = 1;
             }),
     kUnsupported, "bufferView 0 is compressed by KHR_meshopt_compression.*export the file with EXT_meshopt"},

    {"SparseOutOfOrder",
     [] {
         return sparse({2, 1});
     },
     kInvalid, "^accessor 0, sparse indices: index 1 is 1; they must grow"},
    {"SparseTwice",
     [] {
         return sparse({1, 1});
     },
     kInvalid, "^accessor 0, sparse indices: index 1 is 1"},
    {"SparseBeyond",
     [] {
         return sparse({0, 3});
     },
     kInvalid, "^accessor 0, sparse indices: index 1 is 3; they must grow and be less than 3"},
    {"SparseMoreThanElements",
     [] {
         return sparse({0, 1, 2, 2});
     },
     kInvalid, "^accessor 0, sparse: 4 values for 3 elements"},
    {"SparseEmpty",
     [] {
         return sparse({0}, {{"count", 0}});
     },
     kInvalid, "^accessor 0, sparse: 0 values"},
    {"SparseCountBeyondItsView",
     [] {
         return sparse({0}, {{"count", 3}});
     },
     kInvalid, "^accessor 0, sparse indices reaches beyond the end of bufferView 1"},
    {"SparseOfAnOddType",
     [] {
         return sparse({0}, {{"indices", {{"bufferView", 1}, {"componentType", 5126}}}});
     },
     kInvalid, "sparse indices have the component type 5126"},
    {"ZerosWithoutEnd",
     changed(triangle,
             [](GltfFile& f) {
                 f.json["accessors"][0].erase("bufferView");
                 f.json["accessors"][0]["count"] = 90'000'000;
             }),
     kUnsupported, "accessor 0 promises 90000000 elements without bytes"},

    {"InstancesOfDifferentLength", [] { return instanced(3, 2); }, kInvalid,
     "^node 0 has instances with 3 values of TRANSLATION and 2 of SCALE"},
    {"InstancesWithoutCount",
     changed(triangle,
             [](GltfFile& f) {
                 f.json["nodes"][0]["extensions"] = {
                     {"EXT_mesh_gpu_instancing", {{"attributes", Json::object()}}}};
             }),
     kInvalid, "^node 0 has instances without TRANSLATION"},
    {"InstanceSingular",
     [] {
         GltfFile file = instanced(2, 2);
         const std::size_t at = file.json["bufferViews"][2]["byteOffset"].get<std::size_t>();
         file.buffer.replace(at + 12, 12, std::string(12, '\0'));
         return file;
     },
     kInvalid, "^node 0, instance 1 has a singular transform"},
    {"InstanceNotFinite",
     [] {
         GltfFile file = instanced(2, 2);
         const std::size_t at = file.json["bufferViews"][1]["byteOffset"].get<std::size_t>();
         file.buffer.replace(at, 4, std::string("\0\0\xc0\x7f", 4));
         return file;
     },
     kInvalid, "^node 0, instance 0 has a transform that is not finite"},
    {"TooManyInstances",
     [] {
         GltfFile file = instanced(1, 1);
         for (Json& accessor : file.json["accessors"])
             if (accessor["count"] == 1) accessor.erase("bufferView"), accessor["count"] = 1'000'001;
         return file;
     },
     kUnsupported, "more than 1000000 nodes with all instances"},

    {"NodeCycle",
     changed(triangle,
             [](GltfFile& f) {
                 f.node({{"children", {2}}});
                 f.node({{"children", {1}}});
             }),
     kInvalid, "^node 1 contains itself"},
    {"NodeOfTwoParents",
     changed(triangle,
             [](GltfFile& f) {
                 f.node({{"children", {0}}});
                 f.node({{"children", {0}}});
             }),
     kInvalid, "^node 0 has two parents"},
    {"NodesTooDeep", [] { return chain(258); }, kInvalid, "^node 257 is nested too deeply"},
    {"NodeSingular",
     changed(triangle,
             [](GltfFile& f) {
                 f.json["nodes"][0]["scale"] = {1, 0, 1};
             }),
     kInvalid, "^node 0 places a mesh, but its transform or that of a node above is singular"},
    {"NodeSingularAbove",
     changed(triangle,
             [](GltfFile& f) {
                 f.node({{"children", {0}}, {"scale", {0, 0, 0}}});
             }),
     kInvalid, "^node 0 places a mesh, but its transform or that of a node above is singular"},
    {"NodeNotAffine",
     changed(triangle,
             [](GltfFile& f) {
                 f.json["nodes"][0]["matrix"] = {1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
             }),
     kInvalid, "^node 0: \"matrix\" has a last row that is not 0 0 0 1"},
    {"NodeRotationZero",
     changed(triangle,
             [](GltfFile& f) {
                 f.json["nodes"][0]["rotation"] = {0, 0, 0, 0};
             }),
     kInvalid, "^node 0 has a rotation of length 0"},
    {"NodeNull",
     changed(triangle,
             [](GltfFile& f) {
                 f.json["nodes"][0]["scale"] = {nullptr, 1, 1};
             }),
     kInvalid, "node 0: \"scale\" holds null, not a finite number"},

    {"SkinJointBeyond", [] { return skinned(0.25F, 1, diagonal(1)); }, kInvalid,
     "^mesh 0, primitive 0: point 0 follows joint 1, but there are 1"},
    {"SkinWeightNegative", [] { return skinned(-1, 0, diagonal(1)); }, kInvalid,
     "^mesh 0, primitive 0: point 0 has a weight that is not 0 or more"},
    {"SkinSingular", [] { return skinned(0.25F, 0, diagonal(0)); }, kInvalid,
     "^skin 0: inverse bind matrix 0 is singular"},
    {"SkinNotFinite", [] { return skinned(0.25F, 0, diagonal(std::numeric_limits<float>::infinity())); },
     kInvalid, "^skin 0: inverse bind matrix 0 holds what is not a finite number"},
    {"SkinWithoutWeights",
     changed(triangle,
             [](GltfFile& f) {
                 f.json["nodes"][0]["skin"] = 0;
                 f.json["skins"] = {{{"joints", {0}}}};
             }),
     kInvalid, "^mesh 0, primitive 0 has no \"JOINTS_0\""},
    {"SkinMissing", changed(triangle, [](GltfFile& f) { f.json["nodes"][0]["skin"] = 4; }), kInvalid,
     "^node 0 refers to skins 4"},
    {"MorphTargetShort",
     changed(
         triangle,
         [](GltfFile& f) {
             f.json["meshes"][0]["weights"] = {1};
             f.json["meshes"][0]["primitives"][0]["targets"] = {{{"POSITION", f.floats({1, 2, 3}, "VEC3")}}};
         }),
     kInvalid, "^mesh 0, primitive 0: morph target 0 has 1 elements for 3 points"},
    {"MorphWeightsTooMany",
     changed(triangle,
             [](GltfFile& f) {
                 f.json["meshes"][0]["weights"] = {1, 1};
             }),
     kInvalid, "^mesh 0, primitive 0 has 0 morph targets, but there are 2 weights"},

    {"QuantizedWithoutSayingSo",
     changed(triangle, [](GltfFile& f) { f.json["accessors"][0]["componentType"] = 5122; }), kUnsupported,
     "positions must be VEC3 of 5126 \\(float\\)"},
    {"FirstVersion",
     changed(triangle,
             [](GltfFile& f) {
                 f.json["asset"]["version"] = "1.0";
                 f.json["buffers"] = Json::object();
             }),
     kUnsupported, "^glTF version \"1.0\" is not supported; only 2.x is"},
    {"ExtensionUnknown", changed(triangle, [](GltfFile& f) { f.require("ACME_geometry"); }), kUnsupported,
     "^the glTF extension ACME_geometry is not supported"},
    {"StrideOfLessThanAnElement",
     changed(triangle, [](GltfFile& f) { f.json["bufferViews"][0]["byteStride"] = 8; }), kInvalid,
     "^bufferView 0 has the byteStride 8, but accessor 0 has elements of 12 bytes"},
    {"LastElementBeyondItsView",
     changed(triangle, [](GltfFile& f) { f.json["bufferViews"][0]["byteLength"] = 35; }), kInvalid,
     "^accessor 0 reaches beyond the end of bufferView 0"},
};

class GltfBadInput : public ::testing::TestWithParam<BadFile> {};

TEST_P(GltfBadInput, IsRefusedWithItsPlace) {
    const TemporaryFolder folder;
    const GltfFile file = GetParam().make();
    const bool with_fallback = GetParam().name == "NewerMeshoptWithoutFallback";
    Json json = Json::parse(file.text());
    if (with_fallback)
        json["buffers"][1] = {{"byteLength", 100},
                              {"extensions", {{"KHR_meshopt_compression", {{"fallback", true}}}}}};
    const auto result = import_scene(folder.write("a.gltf", json.dump()));
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().kind, GetParam().kind) << result.error().message;
    EXPECT_TRUE(std::regex_search(result.error().message, std::regex(GetParam().message)))
        << result.error().message;
}

INSTANTIATE_TEST_SUITE_P(All, GltfBadInput, ::testing::ValuesIn(kBadFiles),
                         [](const auto& info) { return info.param.name; });

TEST(GltfLimits, DepthOf256IsRead) {
    const TemporaryFolder folder;
    EXPECT_TRUE(import_scene(folder.write("a.gltf", chain(257).text())).ok());
}

TEST(GltfLimits, AMillionNodesAreRefused) {
    const TemporaryFolder folder;
    GltfFile file = triangle();
    std::string nodes = "[{\"mesh\":0}";
    for (int i = 0; i < 1'000'000; ++i) nodes += ",{\"mesh\":0}";
    std::string text = file.text();
    const std::string from = "\"nodes\":[{\"mesh\":0}";
    ASSERT_NE(text.find(from), std::string::npos);
    text.replace(text.find(from), from.size(), "\"nodes\":" + nodes);
    const auto result = import_scene(folder.write("a.gltf", text));
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().kind, kUnsupported) << result.error().message;
    EXPECT_NE(result.error().message.find("1000001 nodes"), std::string::npos) << result.error().message;
}

// --- Headers that promise too much: refused before the file is read ---

long peak_kilobytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/// A file of `size` bytes of which only `head` takes space.
std::filesystem::path sparse_file(const TemporaryFolder& folder, const std::string& name,
                                  const std::string& head, std::uint64_t size) {
    const auto path = folder.write(name, head);
    std::filesystem::resize_file(path, size);
    return path;
}

std::string u32(std::uint64_t value) {
    std::string bytes;
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(value >> shift & 0xff);
    return bytes;
}

struct Promise {
    std::string name;  ///< of the file
    std::string head;
    std::uint64_t size;
    std::string message;
};

std::vector<Promise> promises() {
    const std::string ply =
        "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\nproperty float "
        "y\nproperty "
        "float z\nelement face 100000001\nproperty list uchar int vertex_indices\nend_header\n";
    Json json = triangle().json;
    json["accessors"][0]["count"] = 300'000'003;
    json["bufferViews"][0]["byteLength"] = 3'600'000'036;
    json["buffers"] = {{{"byteLength", 3'600'000'036}}};
    std::string text = json.dump();
    text.resize((text.size() + 3) / 4 * 4, ' ');
    const std::uint64_t size = 20 + text.size() + 8 + 3'600'000'036;
    const std::string glb = "glTF" + u32(2) + u32(size) + u32(text.size()) + "JSON" + text +
                            u32(3'600'000'036) + std::string("BIN\0", 4);
    json["buffers"][0]["uri"] = "a.bin";
    return {
        {"a.stl", std::string(80, ' ') + u32(100'000'001), 84 + 50 * 100'000'001ull, "100000001 triangles"},
        {"a.ply", ply, 1'300'000'400, "100000001 faces"},
        {"a.glb", glb, size, "more than 100000000 triangles"},
        {"a.gltf", json.dump(), 0, "more than 100000000 triangles"},
    };
}

TEST(HeaderLimits, AreLookedAtBeforeTheFileIsRead) {
    for (const Promise& promise : promises()) {
        SCOPED_TRACE(promise.name);
        const TemporaryFolder folder;
        const auto path = promise.size > 0 ? sparse_file(folder, promise.name, promise.head, promise.size)
                                           : folder.write(promise.name, promise.head);
        if (promise.size == 0) sparse_file(folder, "a.bin", "", 3'600'000'036);
        const long before = peak_kilobytes();
        const auto start = std::chrono::steady_clock::now();
        const auto result = import_scene(path);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        ASSERT_FALSE(result.ok());
        EXPECT_EQ(result.error().kind, kUnsupported) << result.error().message;
        EXPECT_NE(result.error().message.find(promise.message), std::string::npos) << result.error().message;
        EXPECT_LT(took.count(), 1.0);
        EXPECT_LT(peak_kilobytes() - before, 50'000);
    }
}

}  // namespace
}  // namespace espalier::testing
