// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/builder/import/gltf_file.h"

#include <draco/compression/encode.h>
#include <draco/mesh/triangle_soup_mesh_builder.h>
#include <meshoptimizer.h>
#include <openssl/evp.h>

#include <stdexcept>

namespace espalier::testing {
namespace {

constexpr int kUnsignedInt = 5125, kFloat = 5126;

std::string base64(const std::string& bytes) {
    std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
    const int size =
        EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                        reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
    text.resize(static_cast<std::size_t>(size));
    return text;
}

std::string little_endian(std::size_t value) {
    std::string bytes;
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(value >> shift & 0xff);
    return bytes;
}

std::string chunk(std::string_view type, std::string bytes, char padding) {
    bytes.resize((bytes.size() + 3) / 4 * 4, padding);
    return little_endian(bytes.size()) + std::string(type) + bytes;
}

struct Encoded {
    std::string bytes;
    std::uint64_t points = 0, faces = 0, position = 0;
};

Encoded draco_encoded(const TriangleMesh& mesh, int bits, bool edgebreaker) {
    draco::TriangleSoupMeshBuilder builder;
    builder.Start(static_cast<int>(mesh.triangles.size()));
    const int position = builder.AddAttribute(draco::GeometryAttribute::POSITION, 3, draco::DT_FLOAT32);
    for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
        const float* corners[3];
        for (std::size_t k = 0; k < 3; ++k) corners[k] = mesh.positions[mesh.triangles[i][k]].data();
        builder.SetAttributeValuesForFace(position, draco::FaceIndex(i), corners[0], corners[1], corners[2]);
    }
    const std::unique_ptr<draco::Mesh> built = builder.Finalize();
    draco::Encoder encoder;
    encoder.SetEncodingMethod(edgebreaker ? draco::MESH_EDGEBREAKER_ENCODING
                                          : draco::MESH_SEQUENTIAL_ENCODING);
    if (bits > 0) encoder.SetAttributeQuantization(draco::GeometryAttribute::POSITION, bits);
    encoder.SetTrackEncodedProperties(true);
    draco::EncoderBuffer buffer;
    if (!encoder.EncodeMeshToBuffer(*built, &buffer).ok()) throw std::runtime_error("Draco cannot encode");
    return {std::string(buffer.data(), buffer.size()), encoder.num_encoded_points(),
            encoder.num_encoded_faces(), built->attribute(position)->unique_id()};
}

}  // namespace

std::vector<float> coordinates(const TriangleMesh& mesh) {
    std::vector<float> values;
    for (const Eigen::Vector3f& p : mesh.positions) values.insert(values.end(), {p.x(), p.y(), p.z()});
    return values;
}

std::vector<std::uint32_t> corner_indices(const TriangleMesh& mesh) {
    std::vector<std::uint32_t> values;
    for (const Triangle& triangle : mesh.triangles)
        values.insert(values.end(), triangle.begin(), triangle.end());
    return values;
}

std::uint64_t GltfFile::append(const char* list, Json value) {
    json[list].push_back(std::move(value));
    return json[list].size() - 1;
}

std::uint64_t GltfFile::view(std::string_view bytes, std::uint64_t stride) {
    buffer.resize((buffer.size() + 3) / 4 * 4);
    Json view = {{"buffer", 0}, {"byteOffset", buffer.size()}, {"byteLength", bytes.size()}};
    if (stride > 0) view["byteStride"] = stride;
    buffer += bytes;
    return append("bufferViews", view);
}

std::uint64_t GltfFile::accessor(std::uint64_t view, int component, const char* type, std::uint64_t count,
                                 const Json& more) {
    Json accessor = {{"bufferView", view}, {"componentType", component}, {"type", type}, {"count", count}};
    accessor.update(more);
    return append("accessors", accessor);
}

std::uint64_t GltfFile::floats(const std::vector<float>& values, const char* type) {
    const std::size_t width = std::string_view(type) == "VEC3"   ? 3
                              : std::string_view(type) == "VEC4" ? 4
                              : std::string_view(type) == "MAT4" ? 16
                                                                 : 1;
    return accessor(view(bytes_of(values)), kFloat, type, values.size() / width);
}

std::uint64_t GltfFile::indices(const std::vector<std::uint32_t>& values) {
    return accessor(view(bytes_of(values)), kUnsignedInt, "SCALAR", values.size());
}

std::uint64_t GltfFile::mesh(const Json& primitive) {
    return append("meshes", {{"primitives", Json::array({primitive})}});
}

std::uint64_t GltfFile::node(const Json& node) {
    return append("nodes", node);
}

std::uint64_t GltfFile::plain_mesh(const TriangleMesh& shape) {
    const std::uint64_t positions = floats(coordinates(shape), "VEC3");
    return mesh({{"attributes", {{"POSITION", positions}}}, {"indices", indices(corner_indices(shape))}});
}

std::uint64_t GltfFile::draco_mesh(const TriangleMesh& shape, int bits, bool edgebreaker) {
    require("KHR_draco_mesh_compression");
    const Encoded encoded = draco_encoded(shape, bits, edgebreaker);
    const std::uint64_t stream = view(encoded.bytes);
    const std::uint64_t positions =
        append("accessors", {{"componentType", kFloat}, {"type", "VEC3"}, {"count", encoded.points}});
    const std::uint64_t corners = append(
        "accessors", {{"componentType", kUnsignedInt}, {"type", "SCALAR"}, {"count", 3 * encoded.faces}});
    const Json extension = {{"bufferView", stream}, {"attributes", {{"POSITION", encoded.position}}}};
    return mesh({{"attributes", {{"POSITION", positions}}},
                 {"indices", corners},
                 {"extensions", {{"KHR_draco_mesh_compression", extension}}}});
}

std::uint64_t GltfFile::meshopt_view(std::string_view bytes, std::uint64_t stride, const std::string& mode,
                                     const std::string& filter) {
    require("EXT_meshopt_compression");
    const std::size_t count = bytes.size() / stride;
    std::vector<std::uint32_t> indices(count);
    for (std::size_t i = 0; i < count && mode != "ATTRIBUTES"; ++i)
        std::memcpy(&indices[i], bytes.data() + i * stride, stride);
    std::vector<unsigned char> encoded(100 + 4 * bytes.size());
    if (mode == "ATTRIBUTES") encoded.resize(meshopt_encodeVertexBufferBound(count, stride));
    const std::size_t size =
        mode == "ATTRIBUTES"
            ? meshopt_encodeVertexBuffer(encoded.data(), encoded.size(), bytes.data(), count, stride)
        : mode == "TRIANGLES"
            ? meshopt_encodeIndexBuffer(encoded.data(), encoded.size(), indices.data(), count)
            : meshopt_encodeIndexSequence(encoded.data(), encoded.size(), indices.data(), count);
    if (size == 0) throw std::runtime_error("meshoptimizer cannot encode");
    const std::uint64_t index = view(std::string_view(reinterpret_cast<const char*>(encoded.data()), size));
    Json extension = json["bufferViews"][index];
    extension.update({{"byteStride", stride}, {"count", count}, {"mode", mode}, {"filter", filter}});
    // The view itself refers to a buffer that is not there.
    json["bufferViews"][index] = {{"buffer", 1},
                                  {"byteLength", bytes.size()},
                                  {"extensions", {{"EXT_meshopt_compression", extension}}}};
    if (mode == "ATTRIBUTES") json["bufferViews"][index]["byteStride"] = stride;
    return index;
}

std::uint64_t GltfFile::meshopt_mesh(const TriangleMesh& shape) {
    const std::uint64_t positions = accessor(meshopt_view(bytes_of(coordinates(shape)), 12, "ATTRIBUTES"),
                                             kFloat, "VEC3", shape.positions.size());
    const std::uint64_t corners = accessor(meshopt_view(bytes_of(corner_indices(shape)), 4, "TRIANGLES"),
                                           kUnsignedInt, "SCALAR", 3 * shape.triangles.size());
    return mesh({{"attributes", {{"POSITION", positions}}}, {"indices", corners}});
}

void GltfFile::require(const std::string& extension) {
    for (const char* list : {"extensionsUsed", "extensionsRequired"}) {
        Json& names = json[list];
        if (std::find(names.begin(), names.end(), extension) == names.end()) names.push_back(extension);
    }
}

Json GltfFile::finished() const {
    Json file = json;
    file["buffers"] = {{{"byteLength", buffer.size()}}};
    std::uint64_t replaced = 0;
    for (const Json& view : file["bufferViews"])
        if (view["buffer"] == 1) replaced = std::max(replaced, view["byteLength"].get<std::uint64_t>());
    if (replaced > 0)
        file["buffers"].push_back(
            {{"byteLength", replaced}, {"extensions", {{"EXT_meshopt_compression", {{"fallback", true}}}}}});
    return file;
}

std::string GltfFile::text() const {
    Json file = finished();
    file["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64(buffer);
    return file.dump();
}

std::string GltfFile::glb() const {
    const std::string chunks =
        chunk("JSON", finished().dump(), ' ') + chunk(std::string_view("BIN\0", 4), buffer, '\0');
    return "glTF" + little_endian(2) + little_endian(12 + chunks.size()) + chunks;
}

}  // namespace espalier::testing
