// SPDX-License-Identifier: MIT
// Finds the pieces of an asset by the checked reader. Touches the header, the root and the part tables only.
#include "espalier/asset.h"

#include "checksum.h"
#include "fields.h"
#include "hierarchies.h"
#include "verify.h"

namespace espalier {
namespace {

constexpr std::uint32_t kSmallestFile = 48;         // root offset, identifier, root table, its vtable, header
constexpr std::uint32_t kLargestFile = 0x7fffffff;  // FlatBuffers' offsets are signed 32 bit
constexpr std::uint32_t kBaseAlignment = 16;

Status read_mesh(const Table& part, MeshView* mesh) {
    const VectorRange positions = part.vector(field::kPositions, 12, 4);
    const VectorRange narrow = part.vector(field::kIndices16, 2, 2);
    const VectorRange wide = part.words(field::kIndices32);
    if (!positions.valid() || narrow.broken() || wide.broken() || narrow.valid() == wide.valid())
        return Status::kCorrupt;
    const std::uint32_t indices = narrow.valid() ? narrow.count : wide.count;
    if (indices == 0 || indices % 3 != 0) return Status::kCorrupt;
    mesh->positions = elements_of<float>(positions);
    mesh->vertex_count = positions.count;
    mesh->triangle_count = indices / 3;
    mesh->indices16 = elements_of<std::uint16_t>(narrow);
    mesh->indices32 = elements_of<std::uint32_t>(wide);
    return read_per_triangle(part, field::kSourceTriangles, mesh->triangle_count, &mesh->source_triangles)
               ? Status::kOk
               : Status::kCorrupt;
}

Status read_part(Buffer buffer, const Table& table, PartView* part) {
    if (!table.valid()) return Status::kCorrupt;
    part->name = table.string(field::kName);
    part->closed = table.byte(field::kClosed) != 0;
    if (const std::uint32_t position = table.field(field::kOrigin, 24, 8))
        std::memcpy(part->origin, buffer.data + position, sizeof(part->origin));
    if (!table.box(field::kBounds, part->lo, part->hi)) return Status::kCorrupt;
    const Status mesh = read_mesh(table, &part->mesh);
    if (mesh != Status::kOk) return mesh;
    return HierarchiesToRead::read(table, part);
}

}  // namespace

Status Asset::part(std::uint32_t index, PartView* part) const {
    if (!part || index >= part_count_) return Status::kInvalidArgument;
    const Buffer buffer{data_, size_};
    PartView view;
    const Status status = read_part(buffer, table_at(buffer, parts_, index), &view);
    if (status == Status::kOk) *part = view;
    return status;
}

Status open(const void* data, std::size_t size, Verify verify, Asset* asset) {
    if (!data || !asset) return Status::kInvalidArgument;
    if (size < kSmallestFile) return Status::kTruncated;
    if (size > kLargestFile) return Status::kCorrupt;
    if (reinterpret_cast<std::uintptr_t>(data) % kBaseAlignment != 0) return Status::kMisaligned;
    const Buffer buffer{static_cast<const std::uint8_t*>(data), static_cast<std::uint32_t>(size)};
    if (std::memcmp(buffer.data + 4, "ESPL", 4) != 0) return Status::kWrongIdentifier;
    const Table root(buffer, buffer.read<std::uint32_t>(0));
    const std::uint32_t header = root.field(field::kHeader, kHeaderBytes, 8);
    if (!root.valid() || !header) return Status::kCorrupt;

    Asset view;
    view.data_ = buffer.data;
    view.size_ = buffer.size;
    view.version_major_ = buffer.read<std::uint16_t>(header);
    view.version_minor_ = buffer.read<std::uint16_t>(header + 2);
    view.builder_revision_ = buffer.read<std::uint32_t>(header + 4);
    view.checksum_ = buffer.read<std::uint64_t>(header + kChecksumOffset);
    if (view.version_major_ != kFormatMajor) return Status::kUnsupportedVersion;
    if (buffer.read<std::uint64_t>(header + 8) != size) return Status::kTruncated;
    const VectorRange parts = root.vector(field::kParts, 4, 4);
    if (!parts.valid() || parts.count == 0) return Status::kCorrupt;
    view.parts_ = parts.position;
    view.part_count_ = parts.count;

    if (verify != Verify::kNone && checksum(buffer.data, size, header + kChecksumOffset) != view.checksum_)
        return Status::kChecksumMismatch;
    if (verify == Verify::kFull) {
        const Status status = verify_parts(view);
        if (status != Status::kOk) return status;
    }
    *asset = view;
    return Status::kOk;
}

}  // namespace espalier
