// SPDX-License-Identifier: GPL-3.0-or-later
// Check before assimp's glTF importer (5.2), which drops triangles with wrong indices without a word,
// recurses as deep as the JSON does and trusts types and ranges that it should not. The importer is given a
// GLB rebuilt from what was checked: nodes, triangles, positions, one buffer. (Khronos glTF 2.0
// specification, sections 3 and 4.)
#include <openssl/evp.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "builder/import/import_formats.h"
#include "builder/import/text_scan.h"

namespace espalier::import_formats {
namespace {

using text_scan::quote;
using Json = nlohmann::json;

constexpr std::string_view kGlbMagic = "glTF";
constexpr std::uint32_t kJsonChunk = 0x4E4F534A;
constexpr std::uint32_t kBinaryChunk = 0x004E4942;
// More than any tool writes; the importer recurses over both.
constexpr std::size_t kMostJsonNesting = 64;
constexpr std::size_t kMostNodeNesting = 256;
constexpr std::uint64_t kMostTriangles = 100'000'000;

// Carries an Error out of the nested checks below; never leaves this file.
struct Failure {
    Error error;
};

[[noreturn]] void fail(const std::string& message, ErrorKind kind = ErrorKind::kInvalidInput) {
    throw Failure{Error{kind, message}};
}

std::uint32_t read_u32(std::string_view bytes, std::size_t offset) {
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[offset + i]);
    return value;
}

void append_u32(std::string& bytes, std::uint64_t value) {
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
}

struct Container {
    std::string_view json;
    std::string_view binary;
    std::size_t trailing = 0;
};

Container split_glb(std::string_view bytes) {
    if (bytes.size() < 20) fail("the GLB header is truncated");
    if (read_u32(bytes, 4) != 2)
        fail("GLB version " + std::to_string(read_u32(bytes, 4)) + " is not supported; only 2 is",
             ErrorKind::kUnsupported);
    const std::size_t length = read_u32(bytes, 8);
    if (length > bytes.size())
        fail("the GLB header promises " + std::to_string(length) + " bytes, but the file has " +
             std::to_string(bytes.size()) + ": it is truncated");
    Container result;
    result.trailing = bytes.size() - length;
    bytes = bytes.substr(0, length);
    for (std::size_t at = 12, index = 0; at < bytes.size(); ++index) {
        const std::string where = "GLB chunk " + std::to_string(index) + " at byte " + std::to_string(at);
        if (bytes.size() - at < 8) fail(where + " is truncated");
        const std::size_t size = read_u32(bytes, at);
        const std::uint32_t type = read_u32(bytes, at + 4);
        if (size > bytes.size() - at - 8)
            fail(where + " has " + std::to_string(size) + " bytes, more than are left");
        if ((index == 0) != (type == kJsonChunk)) fail(where + " has the wrong type");
        if (type == kJsonChunk) result.json = bytes.substr(at + 8, size);
        if (type == kBinaryChunk && index == 1) result.binary = bytes.substr(at + 8, size);
        at += 8 + size;
    }
    if (result.json.empty()) fail("the GLB file has no JSON chunk");
    return result;
}

// Parsers recurse for every bracket.
void check_json_nesting(std::string_view json) {
    std::size_t depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (quoted) {
            if (c == '\\') ++i;
            if (c == '"') quoted = false;
        } else if (c == '"') {
            quoted = true;
        } else if (c == '{' || c == '[') {
            if (++depth > kMostJsonNesting)
                fail("the JSON is nested too deeply at byte " + std::to_string(i));
        } else if ((c == '}' || c == ']') && depth > 0) {
            --depth;
        }
    }
}

Json parse_json(std::string_view text) {
    check_json_nesting(text);
    try {
        Json json = Json::parse(text);
        if (!json.is_object()) fail("not a glTF file: the JSON is not an object");
        return json;
    } catch (const Json::exception& exception) {
        fail(std::string("not a glTF file: ") + exception.what());
    }
}

// Typed access; `where` names the owner in messages.
const Json* member(const Json& object, const char* key) {
    if (!object.is_object()) return nullptr;
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
}

const Json& required(const Json& object, const char* key, const std::string& where) {
    const Json* found = member(object, key);
    if (found == nullptr) fail(where + " has no \"" + key + "\"");
    return *found;
}

std::uint64_t integer(const Json& value, const std::string& where, const char* key) {
    if (!value.is_number_unsigned()) fail(where + ": \"" + key + "\" is not a non-negative integer");
    return value.get<std::uint64_t>();
}

std::uint64_t integer_or(const Json& object, const char* key, std::uint64_t otherwise,
                         const std::string& where) {
    const Json* found = member(object, key);
    return found == nullptr ? otherwise : integer(*found, where, key);
}

const Json& array(const Json& object, const char* key, const std::string& where) {
    static const Json kEmpty = Json::array();
    const Json* found = member(object, key);
    if (found == nullptr) return kEmpty;
    if (!found->is_array()) fail(where + ": \"" + key + "\" is not an array");
    return *found;
}

const Json& element(const Json& root, const char* list, std::uint64_t index, const std::string& where) {
    const Json& elements = array(root, list, "the file");
    if (index >= elements.size())
        fail(where + " refers to " + list + " " + std::to_string(index) + ", but there are " +
             std::to_string(elements.size()) + " (counted from 0)");
    return elements[index];
}

std::string decode_base64(std::string_view text, const std::string& where) {
    if (text.size() % 4 != 0 || text.size() > std::numeric_limits<int>::max())
        fail(where + ": broken base64 data");
    std::string bytes(text.size() / 4 * 3, '\0');
    const int size =
        EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                        reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
    if (size < 0) fail(where + ": broken base64 data");
    const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
    bytes.resize(static_cast<std::size_t>(size) - padding);
    return bytes;
}

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

class GltfCheck {
  public:
    GltfCheck(std::string_view bytes, const ReferenceScope& scope) : bytes_(bytes), scope_(scope) {}
    CheckedInput run();

  private:
    struct Accessor {
        std::uint64_t output = 0;  // index in the rebuilt file
        std::uint64_t count = 0;
        std::uint64_t component = 0;
        std::uint64_t buffer = 0, offset = 0, stride = 0;
    };

    void check_versions();
    void load_buffers();
    std::string load_buffer(const Json& buffer, std::size_t index, const std::string& where);
    const Accessor& accessor(std::uint64_t index, bool positions, const std::string& where);
    void rebuild_meshes();
    bool rebuild_primitive(const Json& primitive, const std::string& where, Json& output,
                           std::uint64_t& triangles);
    void check_indices(const Accessor& indices, std::uint64_t vertices, const std::string& where) const;
    void rebuild_nodes();
    Json rebuild_node(const Json& node, const std::string& where);
    void check_tree(const std::vector<std::uint64_t>& roots);
    std::vector<std::uint64_t> find_roots();
    std::string write_glb();

    std::string_view bytes_;
    const ReferenceScope& scope_;
    Container container_;
    Json input_;
    Json output_ = {{"asset", {{"version", "2.0"}}}};
    std::vector<std::string> buffers_;
    std::vector<std::uint64_t> buffer_base_;  // where each starts in the rebuilt file's one buffer
    std::map<std::pair<std::uint64_t, bool>, Accessor> accessors_;
    std::vector<std::uint64_t> mesh_triangles_;              // by mesh of the input
    std::vector<std::optional<std::uint64_t>> mesh_output_;  // by mesh of the input
    std::size_t ignored_ = 0;
    CheckedInput result_;
};

void GltfCheck::check_versions() {
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

std::string GltfCheck::load_buffer(const Json& buffer, std::size_t index, const std::string& where) {
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

void GltfCheck::load_buffers() {
    const Json& list = array(input_, "buffers", "the file");
    std::uint64_t base = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string where = "buffer " + std::to_string(i);
        const std::uint64_t length = integer(required(list[i], "byteLength", where), where, "byteLength");
        std::string bytes = load_buffer(list[i], i, where);
        if (bytes.size() < length)
            fail(where + " has " + std::to_string(bytes.size()) + " of " + std::to_string(length) +
                 " bytes: it is truncated");
        bytes.resize((length + 7) / 8 * 8);
        buffer_base_.push_back(base);
        base += bytes.size();
        buffers_.push_back(std::move(bytes));
        if (base > 0xF000'0000) fail("the buffers are larger than 4 GB together", ErrorKind::kUnsupported);
    }
}

// Checks an accessor of positions or of indices, and adds it to the rebuilt file.
const GltfCheck::Accessor& GltfCheck::accessor(std::uint64_t index, bool positions, const std::string& user) {
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
    result.stride = integer_or(view, "byteStride", 0, view_where);
    const std::uint64_t stride = result.stride == 0 ? size : result.stride;
    if (stride < size || stride > 252) fail(view_where + " has the byteStride " + std::to_string(stride));
    const std::uint64_t offset = integer_or(json, "byteOffset", 0, where);
    if (result.count == 0) fail(where + " has no elements");
    if (result.count > view_length || offset > view_length ||
        (result.count - 1) * stride + size > view_length - offset)
        fail(where + " reaches beyond the end of " + view_where);
    result.offset = view_offset + offset;

    // One view an accessor in the rebuilt file.
    Json new_view = {{"buffer", 0},
                     {"byteOffset", buffer_base_[result.buffer] + result.offset},
                     {"byteLength", (result.count - 1) * stride + size}};
    if (result.stride != 0) new_view["byteStride"] = result.stride;
    output_["bufferViews"].push_back(std::move(new_view));
    result.output = accessors_.size();
    result.stride = stride;
    output_["accessors"].push_back({{"bufferView", result.output},
                                    {"componentType", result.component},
                                    {"count", result.count},
                                    {"type", positions ? "VEC3" : "SCALAR"}});
    return accessors_.emplace(std::pair(index, positions), result).first->second;
}

void GltfCheck::check_indices(const Accessor& indices, std::uint64_t vertices,
                              const std::string& where) const {
    const std::string& buffer = buffers_[indices.buffer];
    const std::size_t size = component_bytes(indices.component);
    for (std::uint64_t i = 0; i < indices.count; ++i) {
        std::uint64_t value = 0;
        for (std::size_t byte = size; byte-- > 0;)
            value =
                value << 8 | static_cast<unsigned char>(buffer[indices.offset + i * indices.stride + byte]);
        if (value >= vertices)
            fail(where + ": index " + std::to_string(i) + " refers to vertex " + std::to_string(value) +
                 ", but there are " + std::to_string(vertices) + " (counted from 0)");
    }
}

// False: points or lines.
bool GltfCheck::rebuild_primitive(const Json& primitive, const std::string& where, Json& output,
                                  std::uint64_t& triangles) {
    const std::uint64_t mode = integer_or(primitive, "mode", 4, where);
    if (mode > 6) fail(where + " has the mode " + std::to_string(mode));
    if (mode < 4) return false;
    const Json& attributes = required(primitive, "attributes", where);
    const std::uint64_t position = integer(required(attributes, "POSITION", where), where, "POSITION");
    const Accessor positions = accessor(position, true, where);
    output = {{"attributes", {{"POSITION", positions.output}}}, {"mode", mode}};
    std::uint64_t corners = positions.count;
    if (const Json* index = member(primitive, "indices")) {
        const Accessor& indices = accessor(integer(*index, where, "indices"), false, where);
        check_indices(indices, positions.count, where);
        output["indices"] = indices.output;
        corners = indices.count;
    }
    if (corners < 3 || (mode == 4 && corners % 3 != 0))
        fail(where + " has " + std::to_string(corners) + " corners, which make no triangles");
    triangles = mode == 4 ? corners / 3 : corners - 2;
    return true;
}

void GltfCheck::rebuild_meshes() {
    const Json& meshes = array(input_, "meshes", "the file");
    for (std::size_t i = 0; i < meshes.size(); ++i) {
        Json primitives = Json::array();
        std::uint64_t total = 0;
        const Json& list = array(meshes[i], "primitives", "mesh " + std::to_string(i));
        for (std::size_t j = 0; j < list.size(); ++j) {
            const std::string where = "mesh " + std::to_string(i) + ", primitive " + std::to_string(j);
            Json primitive;
            std::uint64_t triangles = 0;
            if (rebuild_primitive(list[j], where, primitive, triangles)) {
                primitives.push_back(std::move(primitive));
                total += triangles;
            } else {
                ++ignored_;
            }
        }
        mesh_triangles_.push_back(total);
        mesh_output_.emplace_back();
        if (primitives.empty()) continue;
        mesh_output_.back() = output_.contains("meshes") ? output_["meshes"].size() : 0;
        output_["meshes"].push_back({{"primitives", std::move(primitives)}});
        result_.polygons += total;
    }
}

Json GltfCheck::rebuild_node(const Json& node, const std::string& where) {
    constexpr std::pair<const char*, std::size_t> kTransforms[] = {
        {"matrix", 16}, {"translation", 3}, {"rotation", 4}, {"scale", 3}};
    Json output = Json::object();
    for (const auto& [key, size] : kTransforms) {
        const Json* values = member(node, key);
        if (values == nullptr) continue;
        if (!values->is_array() || values->size() != size)
            fail(where + ": \"" + key + "\" is not an array of " + std::to_string(size) + " numbers");
        for (const Json& value : *values)
            if (!value.is_number() || !(std::abs(value.get<double>()) <= 1e30))
                fail(where + ": \"" + key + "\" holds " + value.dump() + ", not a finite number");
        output[key] = *values;
    }
    if (const Json* mesh = member(node, "mesh")) {
        const std::uint64_t index = integer(*mesh, where, "mesh");
        element(input_, "meshes", index, where);
        if (mesh_output_[index]) output["mesh"] = *mesh_output_[index];
    }
    const Json* extensions = member(node, "extensions");
    if (extensions != nullptr && member(*extensions, "EXT_mesh_gpu_instancing") != nullptr)
        fail(where +
                 ": the glTF extension EXT_mesh_gpu_instancing is not supported; export the file without it",
             ErrorKind::kUnsupported);
    const Json& children = array(node, "children", where);
    for (const Json& child : children) element(input_, "nodes", integer(child, where, "children"), where);
    if (!children.empty()) output["children"] = children;
    return output;
}

// The nodes of the default scene, or of the first one, or all that have no parent.
std::vector<std::uint64_t> GltfCheck::find_roots() {
    const Json& nodes = array(input_, "nodes", "the file");
    std::vector<char> has_parent(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (const Json& child : array(nodes[i], "children", "node " + std::to_string(i))) {
            char& mark = has_parent[child.get<std::uint64_t>()];
            if (mark) fail("node " + child.dump() + " has two parents");
            mark = 1;
        }
    }
    std::vector<std::uint64_t> roots;
    if (array(input_, "scenes", "the file").empty()) {
        for (std::size_t i = 0; i < nodes.size(); ++i)
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
void GltfCheck::check_tree(const std::vector<std::uint64_t>& roots) {
    const Json& nodes = array(input_, "nodes", "the file");
    std::vector<char> seen(nodes.size());
    std::vector<std::pair<std::uint64_t, std::size_t>> open;
    for (const std::uint64_t root : roots) open.emplace_back(root, 0);
    std::uint64_t triangles = 0;
    while (!open.empty()) {
        const auto [index, depth] = open.back();
        open.pop_back();
        if (seen[index]) fail("node " + std::to_string(index) + " is used twice in the scene");
        seen[index] = 1;
        if (depth > kMostNodeNesting) fail("node " + std::to_string(index) + " is nested too deeply");
        if (const Json* mesh = member(nodes[index], "mesh"))
            triangles += mesh_triangles_[mesh->get<std::uint64_t>()];
        if (triangles > kMostTriangles)
            fail("the scene has more than " + std::to_string(kMostTriangles) + " triangles",
                 ErrorKind::kUnsupported);
        for (const Json& child : array(nodes[index], "children", ""))
            open.emplace_back(child.get<std::uint64_t>(), depth + 1);
    }
}

void GltfCheck::rebuild_nodes() {
    const Json& nodes = array(input_, "nodes", "the file");
    for (std::size_t i = 0; i < nodes.size(); ++i)
        output_["nodes"].push_back(rebuild_node(nodes[i], "node " + std::to_string(i)));
    const std::vector<std::uint64_t> roots = find_roots();
    check_tree(roots);
    output_["scene"] = 0;
    output_["scenes"] = Json::array({{{"nodes", roots}}});
}

std::string GltfCheck::write_glb() {
    std::uint64_t binary = 0;
    for (const std::string& buffer : buffers_) binary += buffer.size();
    output_["buffers"] = Json::array({{{"byteLength", binary}}});
    std::string json = output_.dump();
    json.resize((json.size() + 3) / 4 * 4, ' ');
    std::string glb(kGlbMagic);
    append_u32(glb, 2);
    append_u32(glb, 12 + 8 + json.size() + 8 + binary);
    append_u32(glb, json.size());
    append_u32(glb, kJsonChunk);
    glb += json;
    append_u32(glb, binary);
    append_u32(glb, kBinaryChunk);
    for (const std::string& buffer : buffers_) glb += buffer;
    return glb;
}

CheckedInput GltfCheck::run() {
    if (bytes_.starts_with(kGlbMagic)) {
        container_ = split_glb(bytes_);
    } else {
        container_.json = text_scan::without_bom(bytes_);
    }
    input_ = parse_json(container_.json);
    check_versions();
    load_buffers();
    rebuild_meshes();
    rebuild_nodes();
    if (result_.polygons == 0) fail("the file has no triangles");
    result_.bytes = write_glb();
    if (container_.trailing > 0)
        result_.findings.push_back(
            {"M01", Severity::kWarning, "trailing data", container_.trailing,
             std::to_string(container_.trailing) + " bytes follow the last chunk; ignored"});
    if (ignored_ > 0)
        result_.findings.push_back({"M03", Severity::kInfo, "points and lines ignored", ignored_,
                                    "point and line primitives have no surface and were left out"});
    for (const char* moving : {"animations", "skins"})
        if (const std::size_t count = array(input_, moving, "the file").size(); count > 0)
            result_.findings.push_back(
                {"M06", Severity::kInfo, "animation ignored", count,
                 std::string(moving) + " were ignored: the mesh is baked in its rest pose"});
    return std::move(result_);
}

}  // namespace

Result<CheckedInput> check_gltf(std::string_view bytes, const ReferenceScope& scope) {
    try {
        return GltfCheck(bytes, scope).run();
    } catch (const Failure& failure) {
        return failure.error;
    }
}

}  // namespace espalier::import_formats
