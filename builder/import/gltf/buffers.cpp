// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/import/gltf/buffers.h"

#include "builder/import/text_scan.h"

namespace espalier::import_formats::gltf {
namespace {

using text_scan::quote;

// Bytes of all buffers together. Offsets have 64 bits; this bounds what a small file can make us load.
constexpr std::uint64_t kMostBufferBytes = 0xF000'0000;

std::string where_of(std::size_t index) {
    return "buffer " + std::to_string(index);
}

// A buffer that stands for what compressed views hold, for readers that cannot decompress them.
bool is_fallback(const Json& buffer, const char* extension) {
    const Json* found = extension_of(buffer, extension);
    const Json* fallback = found == nullptr ? nullptr : member(*found, "fallback");
    return fallback != nullptr && fallback->is_boolean() && fallback->get<bool>();
}

}  // namespace

Buffers::Buffers(const Json& root) : root_(root) {
    const Json& list = array(root, "buffers", "the file");
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string where = where_of(i);
        Buffer& buffer = buffers_.emplace_back();
        buffer.length = integer(required(list[i], "byteLength", where), where, "byteLength");
        if (is_fallback(list[i], "EXT_meshopt_compression")) continue;
        total += std::min(buffer.length, kMostBufferBytes);
        if (total > kMostBufferBytes)
            fail("the buffers are larger than 4 GB together", ErrorKind::kUnsupported);
    }
}

std::string_view Buffers::read(const Json& buffer, std::size_t index, std::string_view binary,
                               ReferencedFiles& files, const std::string& where) {
    const Json* uri = member(buffer, "uri");
    if (uri == nullptr) return index == 0 ? binary : std::string_view();
    if (!uri->is_string()) fail(where + ": \"uri\" is not a string");
    const auto& text = uri->get_ref<const std::string&>();
    if (text.starts_with("data:")) {
        const std::size_t comma = text.find(',');
        if (comma == std::string::npos || !std::string_view(text).substr(0, comma).ends_with(";base64"))
            fail(where + ": the data URI is not base64", ErrorKind::kUnsupported);
        return owned_.emplace_back(decode_base64(std::string_view(text).substr(comma + 1), where));
    }
    if (text.find("://") != std::string::npos)
        fail(where + " is at " + quote(text) + "; only files beside the glTF file are read",
             ErrorKind::kUnsupported);
    auto bytes = files.read(text, where);
    if (!bytes) throw Failure{bytes.error()};
    return owned_.emplace_back(std::move(bytes).value());
}

void Buffers::load(std::string_view binary, ReferencedFiles& files) {
    const Json& list = array(root_, "buffers", "the file");
    for (std::size_t i = 0; i < list.size(); ++i) {
        // What we decompress ourselves is not read twice.
        if (is_fallback(list[i], "EXT_meshopt_compression")) continue;
        const std::string where = where_of(i);
        Buffer& buffer = buffers_[i];
        buffer.bytes = read(list[i], i, binary, files, where);
        buffer.present = member(list[i], "uri") != nullptr || !buffer.bytes.empty();
        if (!buffer.present && is_fallback(list[i], "KHR_meshopt_compression")) continue;
        if (!buffer.present) fail(where + " has no \"uri\", and there is no binary chunk for it");
        if (buffer.bytes.size() < buffer.length)
            fail(where + " has " + std::to_string(buffer.bytes.size()) + " of " +
                 std::to_string(buffer.length) + " bytes: it is truncated");
        buffer.bytes = buffer.bytes.substr(0, buffer.length);
    }
}

std::uint64_t Buffers::length(std::uint64_t index, const std::string& user) const {
    element(root_, "buffers", index, user);
    return buffers_[index].length;
}

bool Buffers::present(std::uint64_t index, const std::string& user) const {
    element(root_, "buffers", index, user);
    return buffers_[index].present;
}

std::string_view Buffers::bytes(std::uint64_t index, const std::string& user) const {
    if (!present(index, user)) fail(user + " needs " + where_of(index) + ", whose bytes are not there");
    return buffers_[index].bytes;
}

}  // namespace espalier::import_formats::gltf
