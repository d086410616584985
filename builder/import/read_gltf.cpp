// SPDX-License-Identifier: GPL-3.0-or-later
// glTF 2.0, text and GLB (Khronos glTF 2.0 specification, sections 3 and 4): the triangles of the default
// scene's nodes, each with the transforms of its ancestors.
#include <Eigen/LU>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "builder/base/little_endian.h"
#include "builder/import/gltf_document.h"
#include "builder/import/import_formats.h"
#include "builder/import/text_scan.h"

namespace espalier::import_formats {
namespace {

using namespace gltf;
using text_scan::quote;

// Levels of nodes: more than any tool writes. Transforms are multiplied along them; deeper ones mean a broken
// file.
constexpr std::size_t kMostNodeNesting = 256;
// Triangles of a scene with all its instances, which a small file can multiply at will. 100 million take some
// gigabytes of memory; a larger number lets a file ask for more.
constexpr std::uint64_t kMostTriangles = 100'000'000;

// How many bytes a component of an accessor takes; 0 for an unknown type.
std::size_t component_bytes(std::uint64_t type) {
    switch (type) {
        case 5121:
            return 1;  // unsigned byte
        case 5123:
            return 2;  // unsigned short
        case 5125:
            return 4;  // unsigned int
        case 5126:
            return 4;  // float
        default:
            return 0;
    }
}

// Bytes of all buffers together. Offsets have 64 bits; this bounds what a small file can make us load.
constexpr std::uint64_t kMostBufferBytes = 0xF000'0000;
// Largest magnitude of a transform's numbers: they must fit float32, and chains of ten such nodes still do
// not overflow a double. Beyond lie broken files.
constexpr double kMostTransform = 1e30;

enum Mode : std::uint64_t { kTriangles = 4, kStrip = 5, kFan = 6 };

class GltfReader {
  public:
    GltfReader(std::string_view bytes, const ReferenceScope& scope) : bytes_(bytes), scope_(scope) {}
    PolygonSoup run();

  private:
    struct Accessor {
        std::uint64_t count = 0;
        std::uint64_t component = 0;
        std::uint64_t buffer = 0, offset = 0, stride = 0;
    };
    struct Primitive {
        std::uint64_t mode = kTriangles;
        Accessor positions;
        std::optional<Accessor> indices;
        std::uint64_t triangles = 0;
    };
    struct Mesh {
        std::vector<Primitive> primitives;
        std::uint64_t triangles = 0;
    };
    struct Node {
        Eigen::Matrix4f transform = Eigen::Matrix4f::Identity();
        std::optional<std::uint64_t> mesh;
        std::vector<std::uint64_t> children;
    };

    // Checks. Everything is checked, also what no node uses, before any triangle is made.
    void check_versions();
    void load_buffers();
    std::string load_buffer(const Json& buffer, std::size_t index, const std::string& where);
    const Accessor& accessor(std::uint64_t index, bool positions, const std::string& where);
    void read_meshes();
    std::optional<Primitive> read_primitive(const Json& primitive, const std::string& where);
    void check_indices(const Accessor& indices, std::uint64_t vertices, const std::string& where) const;
    void read_nodes();
    Node read_node(const Json& node, const std::string& where);
    void check_tree(const std::vector<std::uint64_t>& roots);
    std::vector<std::uint64_t> find_roots();
    void add_findings();

    // Triangles.
    void add_scene(const std::vector<std::uint64_t>& roots);
    void add_primitive(const Primitive& primitive, const Eigen::Matrix4d& transform);
    std::uint64_t index_at(const Accessor& indices, std::uint64_t i) const;
    double coordinate_at(const Accessor& positions, std::uint64_t i, std::uint64_t axis) const;

    std::string_view bytes_;
    const ReferenceScope& scope_;
    Container container_;
    Json input_;
    std::vector<std::string> buffers_;
    std::map<std::pair<std::uint64_t, bool>, Accessor> accessors_;
    std::vector<Mesh> meshes_;
    std::vector<Node> nodes_;
    std::size_t ignored_ = 0;
    PolygonSoup soup_;
};

void GltfReader::check_versions() {
    const Json& version = required(required(input_, "asset", "the file"), "version", "\"asset\"");
    if (!version.is_string() || !version.get_ref<const std::string&>().starts_with("2."))
        fail("glTF version " + version.dump() + " is not supported; only 2.x is", ErrorKind::kUnsupported);
    for (const Json& extension : array(input_, "extensionsRequired", "the file")) {
        if (!extension.is_string()) fail("\"extensionsRequired\" holds something that is not a name");
        const auto& name = extension.get_ref<const std::string&>();
        // Those that concern looks alone do not matter here.
        for (const char* unsupported :
             {"KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression",
              "KHR_mesh_quantization", "EXT_mesh_gpu_instancing"})
            if (name == unsupported)
                fail("the glTF extension " + name + " is not supported; export the file without it",
                     ErrorKind::kUnsupported);
    }
}

std::string GltfReader::load_buffer(const Json& buffer, std::size_t index, const std::string& where) {
    const Json* uri = member(buffer, "uri");
    if (uri == nullptr) {
        if (index != 0 || container_.binary.empty())
            fail(where + " has no \"uri\", and there is no binary chunk for it");
        return std::string(container_.binary);
    }
    if (!uri->is_string()) fail(where + ": \"uri\" is not a string");
    const auto& text = uri->get_ref<const std::string&>();
    if (text.starts_with("data:")) {
        const std::size_t comma = text.find(',');
        if (comma == std::string::npos || !std::string_view(text).substr(0, comma).ends_with(";base64"))
            fail(where + ": the data URI is not base64", ErrorKind::kUnsupported);
        return decode_base64(std::string_view(text).substr(comma + 1), where);
    }
    if (text.find("://") != std::string::npos)
        fail(where + " is at " + quote(text) + "; only files beside the glTF file are read",
             ErrorKind::kUnsupported);
    const auto file = resolve_reference(scope_, text, where);
    if (!file) throw Failure{file.error()};
    auto bytes = read_file(file.value(), where + " (" + quote(text) + "): ");
    if (!bytes) throw Failure{bytes.error()};
    return std::move(bytes).value();
}

void GltfReader::load_buffers() {
    const Json& list = array(input_, "buffers", "the file");
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string where = "buffer " + std::to_string(i);
        const std::uint64_t length = integer(required(list[i], "byteLength", where), where, "byteLength");
        std::string bytes = load_buffer(list[i], i, where);
        if (bytes.size() < length)
            fail(where + " has " + std::to_string(bytes.size()) + " of " + std::to_string(length) +
                 " bytes: it is truncated");
        bytes.resize((length + 7) / 8 * 8);
        total += bytes.size();
        buffers_.push_back(std::move(bytes));
        if (total > kMostBufferBytes)
            fail("the buffers are larger than 4 GB together", ErrorKind::kUnsupported);
    }
}

// Finds an accessor of positions or of indices and checks it.
const GltfReader::Accessor& GltfReader::accessor(std::uint64_t index, bool positions,
                                                 const std::string& user) {
    const auto known = accessors_.find({index, positions});
    if (known != accessors_.end()) return known->second;
    const Json& json = element(input_, "accessors", index, user);
    const std::string where = "accessor " + std::to_string(index);
    if (member(json, "sparse") != nullptr)
        fail(where + " is sparse, which is not supported; export the file without it",
             ErrorKind::kUnsupported);
    Accessor result;
    result.count = integer(required(json, "count", where), where, "count");
    result.component = integer(required(json, "componentType", where), where, "componentType");
    const Json& type = required(json, "type", where);
    const bool is_float = result.component == 5126;
    if (component_bytes(result.component) == 0 || is_float != positions ||
        type != (positions ? "VEC3" : "SCALAR"))
        fail(where + " has the type " + type.dump() + " of component type " +
                 std::to_string(result.component) + "; " +
                 (positions ? "positions must be VEC3 of 5126 (float)"
                            : "indices must be SCALAR of 5121, 5123 or 5125"),
             ErrorKind::kUnsupported);
    const std::uint64_t size = component_bytes(result.component) * (positions ? 3 : 1);

    const std::uint64_t view_index = integer(required(json, "bufferView", where), where, "bufferView");
    const Json& view = element(input_, "bufferViews", view_index, where);
    const std::string view_where = "bufferView " + std::to_string(view_index);
    result.buffer = integer(required(view, "buffer", view_where), view_where, "buffer");
    element(input_, "buffers", result.buffer, view_where);
    const std::uint64_t view_offset = integer_or(view, "byteOffset", 0, view_where);
    const std::uint64_t view_length =
        integer(required(view, "byteLength", view_where), view_where, "byteLength");
    const std::uint64_t buffer_length = buffers_[result.buffer].size();
    if (view_offset > buffer_length || view_length > buffer_length - view_offset)
        fail(view_where + " reaches beyond the end of buffer " + std::to_string(result.buffer));
    const std::uint64_t given_stride = integer_or(view, "byteStride", 0, view_where);
    const std::uint64_t stride = given_stride == 0 ? size : given_stride;
    if (stride < size || stride > 252) fail(view_where + " has the byteStride " + std::to_string(stride));
    const std::uint64_t offset = integer_or(json, "byteOffset", 0, where);
    if (result.count == 0) fail(where + " has no elements");
    if (result.count > view_length || offset > view_length ||
        (result.count - 1) * stride + size > view_length - offset)
        fail(where + " reaches beyond the end of " + view_where);
    result.offset = view_offset + offset;

    result.stride = stride;
    return accessors_.emplace(std::pair(index, positions), result).first->second;
}

std::uint64_t GltfReader::index_at(const Accessor& indices, std::uint64_t i) const {
    return read_little_endian(buffers_[indices.buffer], indices.offset + i * indices.stride,
                              component_bytes(indices.component));
}

double GltfReader::coordinate_at(const Accessor& positions, std::uint64_t i, std::uint64_t axis) const {
    const std::uint64_t bits =
        read_little_endian(buffers_[positions.buffer], positions.offset + i * positions.stride + 4 * axis, 4);
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
}

void GltfReader::check_indices(const Accessor& indices, std::uint64_t vertices,
                               const std::string& where) const {
    for (std::uint64_t i = 0; i < indices.count; ++i) {
        const std::uint64_t value = index_at(indices, i);
        if (value >= vertices)
            fail(where + ": index " + std::to_string(i) + " refers to vertex " + std::to_string(value) +
                 ", but there are " + std::to_string(vertices) + " (counted from 0)");
    }
}

// None: points or lines.
std::optional<GltfReader::Primitive> GltfReader::read_primitive(const Json& primitive,
                                                                const std::string& where) {
    Primitive result;
    result.mode = integer_or(primitive, "mode", kTriangles, where);
    if (result.mode > kFan) fail(where + " has the mode " + std::to_string(result.mode));
    if (result.mode < kTriangles) return std::nullopt;
    const Json& attributes = required(primitive, "attributes", where);
    const std::uint64_t position = integer(required(attributes, "POSITION", where), where, "POSITION");
    result.positions = accessor(position, true, where);
    std::uint64_t corners = result.positions.count;
    if (const Json* index = member(primitive, "indices")) {
        result.indices = accessor(integer(*index, where, "indices"), false, where);
        check_indices(*result.indices, result.positions.count, where);
        corners = result.indices->count;
    }
    if (corners < 3 || (result.mode == kTriangles && corners % 3 != 0))
        fail(where + " has " + std::to_string(corners) + " corners, which make no triangles");
    result.triangles = result.mode == kTriangles ? corners / 3 : corners - 2;
    return result;
}

void GltfReader::read_meshes() {
    const Json& meshes = array(input_, "meshes", "the file");
    for (std::size_t i = 0; i < meshes.size(); ++i) {
        Mesh mesh;
        const Json& list = array(meshes[i], "primitives", "mesh " + std::to_string(i));
        for (std::size_t j = 0; j < list.size(); ++j) {
            const std::string where = "mesh " + std::to_string(i) + ", primitive " + std::to_string(j);
            if (auto primitive = read_primitive(list[j], where)) {
                mesh.triangles += primitive->triangles;
                mesh.primitives.push_back(*std::move(primitive));
            } else {
                ++ignored_;
            }
        }
        meshes_.push_back(std::move(mesh));
    }
}

// A node's transform, from its matrix or its translation, rotation and scale: T * R * S. In float32, as
// glTF's numbers are meant: files give them with six digits as often as with sixteen. The order of the
// operations decides the last bit of baked coordinates, so it must stay.
Eigen::Matrix4f transform_of(const Json& node) {
    const auto numbers = [&node](const char* key, std::array<float, 16>& values) {
        const Json* found = member(node, key);
        for (std::size_t i = 0; found != nullptr && i < found->size(); ++i)
            values[i] = static_cast<float>((*found)[i].get<double>());
        return found != nullptr;
    };
    std::array<float, 16> n{};
    Eigen::Matrix4f result = Eigen::Matrix4f::Identity();
    if (numbers("matrix", n)) {
        for (int k = 0; k < 16; ++k) result(k % 4, k / 4) = n[static_cast<std::size_t>(k)];
        return result;
    }
    if (numbers("rotation", n)) {
        const float x = n[0], y = n[1], z = n[2], w = n[3];
        result.topLeftCorner<3, 3>() << 1.0F - 2.0F * (y * y + z * z), 2.0F * (x * y - z * w),
            2.0F * (x * z + y * w), 2.0F * (x * y + z * w), 1.0F - 2.0F * (x * x + z * z),
            2.0F * (y * z - x * w), 2.0F * (x * z - y * w), 2.0F * (y * z + x * w),
            1.0F - 2.0F * (x * x + y * y);
    }
    if (numbers("scale", n))
        for (int k = 0; k < 3; ++k) result.col(k) *= n[static_cast<std::size_t>(k)];
    if (numbers("translation", n))
        for (int k = 0; k < 3; ++k) result(k, 3) = n[static_cast<std::size_t>(k)];
    return result;
}

void check_transform(const Json& node, const std::string& where) {
    constexpr std::pair<const char*, std::size_t> kTransforms[] = {
        {"matrix", 16}, {"translation", 3}, {"rotation", 4}, {"scale", 3}};
    for (const auto& [key, size] : kTransforms) {
        const Json* values = member(node, key);
        if (values == nullptr) continue;
        if (!values->is_array() || values->size() != size)
            fail(where + ": \"" + key + "\" is not an array of " + std::to_string(size) + " numbers");
        for (const Json& value : *values)
            if (!value.is_number() || !(std::abs(value.get<double>()) <= kMostTransform))
                fail(where + ": \"" + key + "\" holds " + value.dump() + ", not a finite number");
    }
}

GltfReader::Node GltfReader::read_node(const Json& node, const std::string& where) {
    check_transform(node, where);
    Node result;
    result.transform = transform_of(node);
    if (const Json* mesh = member(node, "mesh")) {
        result.mesh = integer(*mesh, where, "mesh");
        element(input_, "meshes", *result.mesh, where);
    }
    const Json* extensions = member(node, "extensions");
    if (extensions != nullptr && member(*extensions, "EXT_mesh_gpu_instancing") != nullptr)
        fail(where +
                 ": the glTF extension EXT_mesh_gpu_instancing is not supported; export the file without it",
             ErrorKind::kUnsupported);
    for (const Json& child : array(node, "children", where)) {
        result.children.push_back(integer(child, where, "children"));
        element(input_, "nodes", result.children.back(), where);
    }
    return result;
}

// The nodes of the default scene, or of the first one, or all that have no parent.
std::vector<std::uint64_t> GltfReader::find_roots() {
    std::vector<char> has_parent(nodes_.size());
    for (const Node& node : nodes_) {
        for (const std::uint64_t child : node.children) {
            if (has_parent[child]) fail("node " + std::to_string(child) + " has two parents");
            has_parent[child] = 1;
        }
    }
    std::vector<std::uint64_t> roots;
    if (array(input_, "scenes", "the file").empty()) {
        for (std::size_t i = 0; i < nodes_.size(); ++i)
            if (!has_parent[i]) roots.push_back(i);
        return roots;
    }
    const std::uint64_t scene = integer_or(input_, "scene", 0, "the file");
    const std::string where = "scene " + std::to_string(scene);
    for (const Json& node : array(element(input_, "scenes", scene, "the file"), "nodes", where)) {
        const std::uint64_t index = integer(node, where, "nodes");
        element(input_, "nodes", index, where);
        if (has_parent[index]) fail(where + ": node " + std::to_string(index) + " is not a root");
        roots.push_back(index);
    }
    return roots;
}

// Every node has one parent at most, so that what hangs on the roots is a forest; only its depth and size are
// left to check.
void GltfReader::check_tree(const std::vector<std::uint64_t>& roots) {
    std::vector<char> seen(nodes_.size());
    std::vector<std::pair<std::uint64_t, std::size_t>> open;
    for (const std::uint64_t root : roots) open.emplace_back(root, 0);
    std::uint64_t triangles = 0;
    while (!open.empty()) {
        const auto [index, depth] = open.back();
        open.pop_back();
        if (seen[index]) fail("node " + std::to_string(index) + " is used twice in the scene");
        seen[index] = 1;
        if (depth > kMostNodeNesting) fail("node " + std::to_string(index) + " is nested too deeply");
        if (nodes_[index].mesh) triangles += meshes_[*nodes_[index].mesh].triangles;
        if (triangles > kMostTriangles)
            fail("the scene has more than " + std::to_string(kMostTriangles) + " triangles",
                 ErrorKind::kUnsupported);
        for (const std::uint64_t child : nodes_[index].children) open.emplace_back(child, depth + 1);
    }
}

void GltfReader::read_nodes() {
    const Json& nodes = array(input_, "nodes", "the file");
    for (std::size_t i = 0; i < nodes.size(); ++i)
        nodes_.push_back(read_node(nodes[i], "node " + std::to_string(i)));
}

void GltfReader::add_primitive(const Primitive& primitive, const Eigen::Matrix4d& transform) {
    const std::size_t first = soup_.points.size();
    if (primitive.positions.count > kMaxVertices - first)
        fail("the scene has too many vertices", ErrorKind::kUnsupported);
    for (std::uint64_t i = 0; i < primitive.positions.count; ++i) {
        const Eigen::Vector4d point(coordinate_at(primitive.positions, i, 0),
                                    coordinate_at(primitive.positions, i, 1),
                                    coordinate_at(primitive.positions, i, 2), 1);
        soup_.points.push_back((transform * point).head<3>());
    }
    // A mirroring transform turns the surface inside out; walking the corners backwards turns it back.
    const bool mirrored = transform.topLeftCorner<3, 3>().determinant() < 0;
    for (std::uint64_t t = 0; t < primitive.triangles; ++t) {
        // Of a strip, every second triangle runs the other way round.
        const bool odd = primitive.mode == kStrip && t % 2 == 1;
        std::uint64_t corners[] = {t, t + 1, t + 2};
        if (primitive.mode == kTriangles)
            for (std::uint64_t k = 0; k < 3; ++k) corners[k] = 3 * t + k;
        else if (primitive.mode == kFan)
            corners[0] = 0;
        else if (odd)
            std::swap(corners[0], corners[1]);
        if (mirrored) std::swap(corners[0], corners[2]);
        for (const std::uint64_t corner : corners)
            soup_.corners.push_back(static_cast<std::uint32_t>(
                first + (primitive.indices ? index_at(*primitive.indices, corner) : corner)));
        soup_.first_corner.push_back(soup_.corners.size());
    }
}

// Nodes in the order of the file, each before its children.
void GltfReader::add_scene(const std::vector<std::uint64_t>& roots) {
    std::vector<std::pair<std::uint64_t, Eigen::Matrix4d>> open;
    for (std::size_t i = roots.size(); i-- > 0;) open.emplace_back(roots[i], Eigen::Matrix4d::Identity());
    while (!open.empty()) {
        const auto [index, parent] = open.back();
        open.pop_back();
        const Node& node = nodes_[index];
        const Eigen::Matrix4d local = node.transform.cast<double>();
        const Eigen::Matrix4d transform = parent * local;
        if (node.mesh)
            for (const Primitive& primitive : meshes_[*node.mesh].primitives)
                add_primitive(primitive, transform);
        for (std::size_t i = node.children.size(); i-- > 0;) open.emplace_back(node.children[i], transform);
    }
}

void GltfReader::add_findings() {
    if (container_.trailing > 0)
        soup_.findings.push_back(
            {"M01", Severity::kWarning, "trailing data", container_.trailing,
             std::to_string(container_.trailing) + " bytes follow the last chunk; ignored"});
    if (ignored_ > 0)
        soup_.findings.push_back({"M03", Severity::kInfo, "points and lines ignored", ignored_,
                                  "point and line primitives have no surface and were left out"});
    for (const char* moving : {"animations", "skins"})
        if (const std::size_t count = array(input_, moving, "the file").size(); count > 0)
            soup_.findings.push_back(
                {"M06", Severity::kInfo, "animation ignored", count,
                 std::string(moving) + " were ignored: the mesh is baked in its rest pose"});
}

PolygonSoup GltfReader::run() {
    container_ = open_container(bytes_);
    input_ = parse_json(container_.json);
    check_versions();
    load_buffers();
    read_meshes();
    read_nodes();
    const std::vector<std::uint64_t> roots = find_roots();
    check_tree(roots);
    bool any = false;
    for (const Mesh& mesh : meshes_) any = any || mesh.triangles > 0;
    if (!any) fail("the file has no triangles");
    add_scene(roots);
    add_findings();
    soup_.unit = "metre";
    return std::move(soup_);
}

}  // namespace

Result<PolygonSoup> read_gltf(std::string_view bytes, const ReferenceScope& scope) {
    try {
        return GltfReader(bytes, scope).run();
    } catch (const Failure& failure) {
        return failure.error;
    }
}

}  // namespace espalier::import_formats
