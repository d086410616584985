// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/import/gltf/meshopt.h"

#include <meshoptimizer.h>

#include "builder/import/gltf/document.h"

namespace espalier::import_formats::gltf {
namespace {

// Bytes of a view once decompressed: those of all buffers of a file. A larger number lets a file ask for
// more.
constexpr std::uint64_t kMostBytes = 0xF000'0000;

const unsigned char* unsigned_bytes(std::string_view bytes) {
    return reinterpret_cast<const unsigned char*>(bytes.data());
}

// Bytes that a stream of `size` bytes can stand for at most: an attribute of which nothing changes takes two
// bits for sixteen bytes, a triangle of indices a byte, an index a byte.
std::uint64_t most_decoded(std::uint64_t size, const MeshoptStream& stream) {
    if (stream.mode == "ATTRIBUTES") return 64 * size;
    return (stream.mode == "TRIANGLES" ? 3 : 1) * stream.stride * size;
}

void check_filter(const MeshoptStream& stream, const std::string& where) {
    const std::uint64_t stride = stream.stride;
    const bool known = stream.filter == "NONE" || stream.filter == "OCTAHEDRAL" ||
                       stream.filter == "QUATERNION" || stream.filter == "EXPONENTIAL";
    if (!known)
        fail(where + " has the meshopt filter \"" + stream.filter +
                 "\", which is not supported; export the file without it",
             ErrorKind::kUnsupported);
    const bool fits = (stream.filter != "OCTAHEDRAL" || stride == 4 || stride == 8) &&
                      (stream.filter != "QUATERNION" || stride == 8) &&
                      (stream.filter == "NONE" || stream.mode == "ATTRIBUTES");
    if (!fits)
        fail(where + ": the meshopt filter " + stream.filter + " does not go with " + stream.mode + " of " +
             std::to_string(stride) + " bytes");
}

void apply_filter(std::string& bytes, const MeshoptStream& stream) {
    if (stream.filter == "OCTAHEDRAL") meshopt_decodeFilterOct(bytes.data(), stream.count, stream.stride);
    if (stream.filter == "QUATERNION") meshopt_decodeFilterQuat(bytes.data(), stream.count, stream.stride);
    if (stream.filter == "EXPONENTIAL") meshopt_decodeFilterExp(bytes.data(), stream.count, stream.stride);
}

}  // namespace

void check_meshopt(const MeshoptStream& stream, const std::string& where) {
    const bool attributes = stream.mode == "ATTRIBUTES", triangles = stream.mode == "TRIANGLES";
    if (!attributes && !triangles && stream.mode != "INDICES")
        fail(where + " has the meshopt mode \"" + stream.mode + "\", which is not supported; export it again",
             ErrorKind::kUnsupported);
    const bool stride_fits = attributes ? stream.stride % 4 == 0 && stream.stride > 0 && stream.stride <= 256
                                        : stream.stride == 2 || stream.stride == 4;
    if (!stride_fits)
        fail(where + ": meshopt " + stream.mode + " cannot have elements of " +
             std::to_string(stream.stride) + " bytes");
    if (stream.count == 0 || (triangles && stream.count % 3 != 0))
        fail(where + ": meshopt " + stream.mode + " cannot have " + std::to_string(stream.count) +
             " elements");
    if (stream.count > kMostBytes / stream.stride)
        fail(where + " promises " + std::to_string(stream.count) + " elements of " +
                 std::to_string(stream.stride) + " bytes once decompressed, which is too large",
             ErrorKind::kUnsupported);
    check_filter(stream, where);
}

std::string decode_meshopt(std::string_view bytes, const MeshoptStream& stream, const std::string& where) {
    const std::uint64_t size = stream.count * stream.stride;
    if (size > most_decoded(bytes.size(), stream))
        fail(where + " promises " + std::to_string(stream.count) + " elements, more than " +
             std::to_string(bytes.size()) + " compressed bytes can hold: it is truncated or damaged");
    std::string decoded(size, '\0');
    const auto decode = [&](auto function) {
        return function(decoded.data(), stream.count, stream.stride, unsigned_bytes(bytes), bytes.size());
    };
    const int failed =
        stream.mode == "ATTRIBUTES" ? decode(meshopt_decodeVertexBuffer)
        : stream.mode == "TRIANGLES"
            ? decode([](void* to, auto... rest) { return meshopt_decodeIndexBuffer(to, rest...); })
            : decode([](void* to, auto... rest) { return meshopt_decodeIndexSequence(to, rest...); });
    if (failed != 0)
        fail(where + ": the meshopt stream is damaged, or of a version that is not known (" + stream.mode +
             ", error " + std::to_string(failed) + ")");
    apply_filter(decoded, stream);
    return decoded;
}

}  // namespace espalier::import_formats::gltf
