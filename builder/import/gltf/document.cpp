// SPDX-License-Identifier: GPL-3.0-or-later
// The GLB container and its JSON (Khronos glTF 2.0 specification, section 4 and appendix).
#include "builder/import/gltf/document.h"

#include <openssl/evp.h>

#include <cmath>
#include <limits>

#include "builder/base/little_endian.h"
#include "builder/import/import_formats.h"
#include "builder/import/text_scan.h"

namespace espalier::import_formats::gltf {
namespace {

constexpr std::string_view kGlbMagic = "glTF";
constexpr std::uint32_t kJsonChunk = 0x4E4F534A;
constexpr std::uint32_t kBinaryChunk = 0x004E4942;
// Levels of brackets: more than any tool writes. The parser recurses for each, so a larger number needs a
// larger stack.
constexpr std::size_t kMostJsonNesting = 64;
// Values of the document. Ten million take about a gigabyte; a larger number lets a file ask for more.
constexpr std::size_t kMostJsonValues = 10'000'000;
// Largest magnitude of a transform's numbers: they must fit float32, and chains of ten such nodes still do
// not overflow a double. Beyond lie broken files.
constexpr double kMostNumber = 1e30;

std::uint32_t read_u32(std::string_view bytes, std::size_t offset) {
    return static_cast<std::uint32_t>(read_little_endian(bytes, offset, 4));
}

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

// Brackets and commas, before a parser recurses over them and keeps what is between them.
void check_json_size(std::string_view json) {
    std::size_t depth = 0, values = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (!quoted && (c == ',' || c == '{' || c == '[') && ++values > kMostJsonValues)
            fail("the JSON has more than " + std::to_string(kMostJsonValues) + " values; divide the file",
                 ErrorKind::kUnsupported);
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

}  // namespace

void fail(const std::string& message, ErrorKind kind) {
    throw Failure{Error{kind, message}};
}

Container open_container(std::string_view bytes) {
    if (bytes.starts_with(kGlbMagic)) return split_glb(bytes);
    Container result;
    result.json = text_scan::without_bom(bytes);
    return result;
}

Container open_head(std::istream& file, std::uint64_t size, std::string& bytes) {
    bytes = read_some(file, 20);
    if (bytes.size() < 20 || !bytes.starts_with(kGlbMagic) || read_u32(bytes, 12) > size) return {};
    bytes = read_some(file, read_u32(bytes, 12));
    Container result;
    result.json = bytes;
    return result;
}

Json parse_json(std::string_view text) {
    check_json_size(text);
    try {
        Json json = Json::parse(text);
        if (!json.is_object()) fail("not a glTF file: the JSON is not an object");
        return json;
    } catch (const Json::exception& exception) {
        fail(std::string("not a glTF file: ") + exception.what());
    }
}

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

const Json* extension_of(const Json& object, const char* name) {
    const Json* extensions = member(object, "extensions");
    return extensions == nullptr ? nullptr : member(*extensions, name);
}

std::string name_of(const Json& object) {
    const Json* name = member(object, "name");
    return name != nullptr && name->is_string() ? name->get<std::string>() : std::string();
}

std::vector<double> numbers(const Json& object, const char* key, std::size_t size, const std::string& where) {
    const Json* values = member(object, key);
    if (values == nullptr) return {};
    if (!values->is_array() || (size > 0 && values->size() != size))
        fail(where + ": \"" + key + "\" is not an array of " + (size > 0 ? std::to_string(size) + " " : "") +
             "numbers");
    std::vector<double> result;
    for (const Json& value : *values) {
        if (!value.is_number() || !(std::abs(value.get<double>()) <= kMostNumber))
            fail(where + ": \"" + key + "\" holds " + value.dump() + ", not a finite number");
        result.push_back(value.get<double>());
    }
    return result;
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

}  // namespace espalier::import_formats::gltf
