// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/import/gltf/views.h"

#include "builder/import/gltf/meshopt.h"

namespace espalier::import_formats::gltf {
namespace {

// Bytes from element to element, of anything that a glTF file interleaves (section 5.11.4).
constexpr std::uint64_t kMostStride = 252;

const Json* meshopt_of(const Json& view) {
    return extension_of(view, "EXT_meshopt_compression");
}

// Where a piece of a buffer lies; `owner` is the view or its extension.
struct Piece {
    std::uint64_t buffer, offset, length;
};

Piece piece_of(const Json& owner, const Buffers& buffers, const std::string& where) {
    Piece piece{};
    piece.buffer = integer(required(owner, "buffer", where), where, "buffer");
    piece.offset = integer_or(owner, "byteOffset", 0, where);
    piece.length = integer(required(owner, "byteLength", where), where, "byteLength");
    const std::uint64_t available = buffers.length(piece.buffer, where);
    if (piece.offset > available || piece.length > available - piece.offset)
        fail(where + " reaches beyond the end of buffer " + std::to_string(piece.buffer));
    return piece;
}

MeshoptStream stream_of(const Json& extension, const ViewLayout& view) {
    MeshoptStream stream;
    stream.count = integer(required(extension, "count", view.where), view.where, "count");
    stream.stride = integer(required(extension, "byteStride", view.where), view.where, "byteStride");
    const auto text = [&](const char* key, const char* otherwise) {
        const Json* found = member(extension, key);
        if (found == nullptr) return std::string(otherwise);
        if (!found->is_string()) fail(view.where + ": \"" + key + "\" is not a name");
        return found->get<std::string>();
    };
    stream.mode = text("mode", "");
    stream.filter = text("filter", "NONE");
    check_meshopt(stream, view.where);
    // In this order: a count that overflows the product has been refused.
    if (stream.count * stream.stride != view.length)
        fail(view.where + " has " + std::to_string(view.length) +
             " bytes, but its compressed form promises " + std::to_string(stream.count) + " elements of " +
             std::to_string(stream.stride));
    return stream;
}

}  // namespace

ViewLayout Views::layout(std::uint64_t index, const std::string& user) const {
    ViewLayout view;
    view.json = &element(root_, "bufferViews", index, user);
    view.where = "bufferView " + std::to_string(index);
    view.length = piece_of(*view.json, buffers_, view.where).length;
    view.stride = integer_or(*view.json, "byteStride", 0, view.where);
    if (const Json* meshopt = meshopt_of(*view.json)) stream_of(*meshopt, view);
    if (view.stride > kMostStride) fail(view.where + " has the byteStride " + std::to_string(view.stride));
    return view;
}

std::string_view Views::plain(const ViewLayout& view) const {
    const Piece piece = piece_of(*view.json, buffers_, view.where);
    if (extension_of(*view.json, "KHR_meshopt_compression") != nullptr &&
        !buffers_.present(piece.buffer, view.where))
        fail(view.where +
                 " is compressed by KHR_meshopt_compression, which is not supported, and has no "
                 "fallback; export the file with EXT_meshopt_compression or without compression",
             ErrorKind::kUnsupported);
    return buffers_.bytes(piece.buffer, view.where).substr(piece.offset, piece.length);
}

std::string Views::decompressed(const ViewLayout& view, const Json& extension) const {
    const Piece piece = piece_of(extension, buffers_, view.where);
    return decode_meshopt(buffers_.bytes(piece.buffer, view.where).substr(piece.offset, piece.length),
                          stream_of(extension, view), view.where);
}

std::string_view Views::bytes(std::uint64_t index, const std::string& user) {
    const ViewLayout view = layout(index, user);
    const Json* meshopt = meshopt_of(*view.json);
    if (meshopt == nullptr) return plain(view);
    const auto known = decompressed_.find(index);
    if (known != decompressed_.end()) return known->second;
    return decompressed_.emplace(index, decompressed(view, *meshopt)).first->second;
}

}  // namespace espalier::import_formats::gltf
