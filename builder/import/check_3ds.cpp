// SPDX-License-Identifier: GPL-3.0-or-later
// Check before assimp's 3DS importer (5.2), which moves wrong indices to the last vertex without a word.
// Walks the chunks (16-bit type, 32-bit length including this head, content) down to the meshes.
#include <vector>

#include "builder/base/little_endian.h"
#include "builder/import/import_formats.h"

namespace espalier::import_formats {
namespace {

constexpr std::size_t kHeadBytes = 6;
enum Chunk : std::uint64_t {
    kMain = 0x4D4D,
    kEditor = 0x3D3D,
    kObject = 0x4000,
    kMesh = 0x4100,
    kVertices = 0x4110,
    kFaces = 0x4120,
};

Error invalid(const std::string& message) {
    return Error{ErrorKind::kInvalidInput, message};
}

class Walk {
  public:
    explicit Walk(std::string_view bytes) : bytes_(bytes) {}

    std::optional<Error> run() {
        if (bytes_.size() < kHeadBytes || read(0, 2) != kMain)
            return invalid("not a 3DS file: it does not start with the chunk 0x4D4D");
        const std::uint64_t length = read(2, 4);
        if (length > bytes_.size())
            return invalid("the 3DS main chunk has " + std::to_string(length) + " bytes, but the file has " +
                           std::to_string(bytes_.size()) + ": it is truncated");
        if (length < kHeadBytes)
            return invalid("the 3DS main chunk has a length of " + std::to_string(length) + " bytes");
        open_.push_back({kHeadBytes, length, 0});
        while (!open_.empty())
            if (auto error = step()) return error;
        return std::nullopt;
    }

  private:
    // A list of chunks that is being read.
    struct List {
        std::size_t at, end;
        std::uint64_t vertices;  // of the mesh, as far as known
    };

    std::uint64_t read(std::size_t offset, std::size_t width) const {
        return read_little_endian(bytes_, offset, width);
    }

    std::optional<Error> step() {
        List& list = open_.back();
        // A few spare bytes at the end of a list are harmless.
        if (list.end - list.at < kHeadBytes) {
            open_.pop_back();
            return std::nullopt;
        }
        const std::size_t at = list.at;
        const std::uint64_t type = read(at, 2), length = read(at + 2, 4);
        const std::string where = "the 3DS chunk at byte " + std::to_string(at);
        if (length < kHeadBytes || length > list.end - at)
            return invalid(where + " has a length of " + std::to_string(length) + " bytes, but " +
                           std::to_string(list.end - at) + " are left");
        list.at += length;
        const std::size_t content = at + kHeadBytes, end = at + length;
        if (type == kEditor || type == kMesh) open_.push_back({content, end, 0});
        if (type == kObject) {
            const std::size_t name = bytes_.substr(0, end).find('\0', content);
            if (name == std::string_view::npos) return invalid(where + " has a name without end");
            open_.push_back({name + 1, end, 0});
        }
        if (type == kVertices || type == kFaces) return mesh_data(type, content, end, list, where);
        return std::nullopt;
    }

    std::optional<Error> mesh_data(std::uint64_t type, std::size_t content, std::size_t end, List& list,
                                   const std::string& where) {
        const std::size_t item = type == kVertices ? 12 : 8;
        if (end - content < 2 || (end - content - 2) / item < read(content, 2))
            return invalid(where + " ends before its last " + (type == kVertices ? "vertex" : "face"));
        const std::uint64_t count = read(content, 2);
        if (type == kVertices) {
            list.vertices = count;
            return std::nullopt;
        }
        for (std::uint64_t i = 0; i < count; ++i)
            for (std::size_t corner = 0; corner < 3; ++corner)
                if (const auto vertex = read(content + 2 + i * item + 2 * corner, 2); vertex >= list.vertices)
                    return invalid(where + ": face " + std::to_string(i) + " refers to vertex " +
                                   std::to_string(vertex) + ", but there are " +
                                   std::to_string(list.vertices) + " (counted from 0)");
        return std::nullopt;
    }

    std::string_view bytes_;
    std::vector<List> open_;
};

}  // namespace

std::optional<Error> check_3ds(std::string_view bytes) {
    return Walk(bytes).run();
}

}  // namespace espalier::import_formats
