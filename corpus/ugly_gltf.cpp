// SPDX-License-Identifier: GPL-3.0-or-later
// glTF files whose nodes, accessors or compressed streams are wrong.
#include "corpus/ugly_files.h"

namespace espalier::corpus {
namespace {

// The corners of a triangle as floats, in base64.
constexpr const char* kCorners = "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA";
// The first bytes of a Draco mesh of 2^31 vertices and faces, and zeros.
constexpr const char* kDracoPromise = "RFJBQ08CAgEBAAAAgICAgAiAgICACAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
constexpr const char* kAccessor = R"({"bufferView":0,"componentType":5126,"type":"VEC3","count":3})";
constexpr const char* kPrimitive = R"({"attributes":{"POSITION":0}})";

std::string view(const std::string& more) {
    return R"({"buffer":0,"byteLength":)" + more + "}";
}

/// One triangle placed by the nodes.
std::string gltf(const std::string& nodes, const std::string& accessor = kAccessor,
                 const std::string& views = view("36"), const std::string& primitive = kPrimitive,
                 const std::string& bytes = kCorners, const std::string& more = "") {
    return R"({"asset":{"version":"2.0"},)" + more + R"("nodes":[)" + nodes +
           R"(],"meshes":[{"primitives":[)" + primitive + R"(]}],"accessors":[)" + accessor +
           R"(],"bufferViews":[)" + views + R"(],"buffers":[{"byteLength":)" +
           std::to_string(bytes.size() / 4 * 3) + R"(,"uri":"data:;base64,)" + bytes + R"("}]})";
}

std::string nested_nodes(int count) {
    std::string nodes;
    for (int i = 1; i < count; ++i) nodes += R"({"children":[)" + std::to_string(i) + "]},";
    return nodes + R"({"mesh":0})";
}

std::string sparse_accessor(const std::string& sparse) {
    return R"({"componentType":5126,"type":"VEC3","count":3,"sparse":)" + sparse + "}";
}

std::string compressed(const std::string& extension, const std::string& value) {
    return R"("extensions":{")" + extension + R"(":)" + value + "}";
}

}  // namespace

std::vector<UglyFile> ugly_gltf() {
    const std::string mesh = R"({"mesh":0})";
    const std::string draco =
        compressed("KHR_draco_mesh_compression", R"({"bufferView":0,"attributes":{"POSITION":0}})");
    const std::string meshopt =
        compressed("EXT_meshopt_compression",
                   R"({"buffer":0,"byteLength":36,"byteStride":12,"count":3,"mode":"ATTRIBUTES"})");
    const std::string newer = compressed("KHR_meshopt_compression", R"({"mode":"ATTRIBUTES"})");
    return {
        {"node-in-itself.gltf", "two nodes that contain each other", 3, "contains itself", 0,
         [=] { return gltf(mesh + R"(,{"children":[2]},{"children":[1]})"); }},
        {"two-parents.gltf", "a node below two others", 3, "two parents", 0,
         [=] { return gltf(mesh + R"(,{"children":[0]},{"children":[0]})"); }},
        {"deep-nodes.gltf", "1,000 nodes below each other", 3, "nested too deeply", 0,
         [] { return gltf(nested_nodes(1000)); }},
        {"flat-node.gltf", "a scale of 0", 3, "singular", 0,
         [] { return gltf(R"({"mesh":0,"scale":[1,0,1]})"); }},
        {"rotation-of-nothing.gltf", "a quaternion of zeros", 3, "rotation", 0,
         [] { return gltf(R"({"mesh":0,"rotation":[0,0,0,0]})"); }},
        {"sparse-backwards.gltf", "sparse indices that do not grow", 3, "sparse", 0,
         [=] {
             return gltf(mesh,
                         sparse_accessor(R"({"count":3,"indices":{"bufferView":0,"componentType":5121},)"
                                         R"("values":{"bufferView":0}})"));
         }},
        {"zeros-without-end.gltf", "an accessor of 90 million elements without bytes", 5, "too large", 0,
         [=] { return gltf(mesh, R"({"componentType":5126,"type":"VEC3","count":90000000})"); }},
        {"unknown-extension.gltf", "requires an extension that nobody knows", 5, "ACME_geometry", 0,
         [=] {
             return gltf(mesh, kAccessor, view("36"), kPrimitive, kCorners,
                         R"("extensionsRequired":["ACME_geometry"],)");
         }},
        {"draco-promise.gltf", "a Draco stream that promises two thousand million points", 5, "too large", 0,
         [=] {
             return gltf(mesh, R"({"componentType":5126,"type":"VEC3","count":3})", view("48"),
                         R"({"attributes":{"POSITION":0},)" + draco + "}", kDracoPromise);
         }},
        {"draco-junk.gltf", "a Draco stream that is none", 3, "not a Draco stream", 0,
         [=] {
             return gltf(mesh, R"({"componentType":5126,"type":"VEC3","count":3})", view("36"),
                         R"({"attributes":{"POSITION":0},)" + draco + "}");
         }},
        {"meshopt-junk.gltf", "a meshopt stream that is none", 3, "meshopt stream is damaged", 0,
         [=] { return gltf(mesh, kAccessor, view("36," + meshopt)); }},
        {"newer-meshopt.gltf", "plain bytes beside a compression that is not known", 0, "", 1,
         [=] { return gltf(mesh, kAccessor, view("36," + newer)); }},
        {"instances-of-two-lengths.gltf", "3 translations and 1 scale", 3, "TRANSLATION.*SCALE", 0,
         [=] {
             const std::string one = R"({"bufferView":0,"componentType":5126,"type":"VEC3","count":1})";
             return gltf(
                 R"({"mesh":0,)" +
                     compressed("EXT_mesh_gpu_instancing", R"({"attributes":{"TRANSLATION":0,"SCALE":1}})") +
                     "}",
                 std::string(kAccessor) + "," + one);
         }},
    };
}

}  // namespace espalier::corpus
