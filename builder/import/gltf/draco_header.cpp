// SPDX-License-Identifier: GPL-3.0-or-later
// (Draco 3D Graphics Compression specification, bitstream 2.2, sections 3 to 5; older ones have fixed sizes.)
#include "builder/import/gltf/draco_header.h"

#include "builder/base/little_endian.h"
#include "builder/import/gltf/document.h"
#include "builder/import/import_formats.h"

namespace espalier::import_formats::gltf {
namespace {

constexpr std::string_view kMagic = "DRACO";
constexpr std::size_t kHeaderBytes = 11;
constexpr std::uint64_t kMesh = 1;
constexpr std::uint64_t kSequential = 0, kEdgebreaker = 1;
constexpr std::uint64_t kMetadataFlag = 0x8000;
// Faces for each compressed byte. Connectivity takes about two bits a face; a regular grid whose symbols are
// all alike, far less. libdraco takes about a hundred bytes a face before it has read the first: a larger
// number lets a small file ask for more.
constexpr std::uint64_t kMostFacesPerByte = 1000;
// Groups of attributes with seams of their own, each with about twelve bytes a face. A glTF primitive has a
// few.
constexpr std::uint64_t kMostAttributeGroups = 32;

class Reader {
  public:
    Reader(std::string_view bytes, const std::string& where) : bytes_(bytes), where_(where) {}

    std::uint64_t fixed(std::size_t width) {
        if (bytes_.size() - at_ < width) fail(where_ + ": the Draco stream is truncated");
        at_ += width;
        return read_little_endian(bytes_, at_ - width, width);
    }
    // Seven bits a byte, the lowest first; five bytes at most.
    std::uint64_t variable() {
        std::uint64_t value = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            const std::uint64_t byte = fixed(1);
            value |= (byte & 0x7F) << shift;
            if (byte < 0x80) return value;
        }
        fail(where_ + ": the Draco stream is damaged");
    }

  private:
    std::string_view bytes_;
    const std::string& where_;
    std::size_t at_ = 0;
};

}  // namespace

DracoHeader read_draco_header(std::string_view bytes, const std::string& where) {
    if (bytes.size() < kHeaderBytes || !bytes.starts_with(kMagic))
        fail(where + ": its compressed bytes are not a Draco stream");
    Reader reader(bytes, where);
    reader.fixed(kMagic.size());
    const std::uint64_t major = reader.fixed(1), minor = reader.fixed(1), version = major << 8 | minor;
    const std::uint64_t type = reader.fixed(1), method = reader.fixed(1), flags = reader.fixed(2);
    if (type != kMesh || method > kEdgebreaker)
        fail(where + ": the Draco stream holds no mesh (type " + std::to_string(type) + ", method " +
             std::to_string(method) + ")");
    // libdraco can be made to take any memory by them, and nobody needs them here.
    if ((flags & kMetadataFlag) != 0)
        fail(where + ": the Draco stream holds metadata, which is not supported; export the file without",
             ErrorKind::kUnsupported);
    DracoHeader header;
    if (method == kSequential) {
        const auto count = [&] { return version < 0x202 ? reader.fixed(4) : reader.variable(); };
        header.faces = count();
        header.vertices = count();
    } else {
        const auto count = [&] { return version < 0x200 ? reader.fixed(4) : reader.variable(); };
        reader.fixed(1);  // the way of the traversal
        if (version < 0x202) count();
        header.vertices = count();
        header.faces = count();
        const std::uint64_t groups = reader.fixed(1);
        if (groups > kMostAttributeGroups)
            fail(where + ": the Draco stream promises " + std::to_string(groups) + " groups of attributes",
                 ErrorKind::kUnsupported);
    }
    if (header.faces > kMostTriangles || header.vertices > 3 * kMostTriangles ||
        header.faces > kMostFacesPerByte * bytes.size())
        fail(where + ": the Draco stream of " + std::to_string(bytes.size()) + " bytes promises " +
                 std::to_string(header.faces) + " faces and " + std::to_string(header.vertices) +
                 " vertices, which is too large; export the file without compression",
             ErrorKind::kUnsupported);
    return header;
}

}  // namespace espalier::import_formats::gltf
