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

Status read_shape(Buffer buffer, const Table& table, ShapeView* part) {
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

/// What 2.0 added to the root: all absent in files of 1.x, whose readers never looked there.
struct PartTables {
    VectorRange parts, names, pairs;

    explicit PartTables(const Table& root)
        : parts(root.vector(field::kParts, sizeof(PartNode), alignof(PartNode))),
          names(root.vector(field::kNames, 4, 4)),
          pairs(root.vector(field::kPairs, sizeof(PartPair), alignof(PartPair))) {}

    bool sound() const {
        if (parts.broken() || names.broken() || pairs.broken()) return false;
        return !parts.valid() || (parts.count > 0 && names.valid());
    }
};

}  // namespace

Status Asset::shape(std::uint32_t index, ShapeView* part) const {
    if (!part || index >= shape_count_) return Status::kInvalidArgument;
    const Buffer buffer{data_, size_};
    ShapeView view;
    const Status status = read_shape(buffer, table_at(buffer, shapes_, index), &view);
    if (status == Status::kOk) *part = view;
    return status;
}

Status Asset::part(std::uint32_t index, ShapeView* part) const {
    if (!parts_) return shape(index, part);
    if (!part || index >= part_count_) return Status::kInvalidArgument;
    if (parts_[index].shape == kNoIndex) return Status::kNoShape;
    if (parts_[index].shape >= shape_count_) return Status::kCorrupt;
    const Status status = shape(parts_[index].shape, part);
    if (status == Status::kOk) part->name = part_name(index);
    return status;
}

Status Asset::part_node(std::uint32_t index, PartNode* node) const {
    if (!node || index >= part_count_) return Status::kInvalidArgument;
    *node = parts_ ? parts_[index] : PartNode();
    if (!parts_) node->shape = node->name = index;
    const bool ordered = node->parent == kNoIndex || node->parent < index;
    const bool placed = node->shape == kNoIndex || node->shape < shape_count_;
    return ordered && placed ? Status::kOk : Status::kCorrupt;
}

const char* Asset::name(std::uint32_t index) const {
    const char* found = index < name_count_ ? string_at(Buffer{data_, size_}, names_, index) : nullptr;
    return found ? found : "";
}

const char* Asset::part_name(std::uint32_t index) const {
    if (index >= part_count_) return "";
    if (parts_) return name(parts_[index].name);
    return table_at(Buffer{data_, size_}, shapes_, index).string(field::kName);
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
    if (view.version_major_ == 0 || view.version_major_ > kFormatMajor) return Status::kUnsupportedVersion;
    if (buffer.read<std::uint64_t>(header + 8) != size) return Status::kTruncated;
    const VectorRange shapes = root.vector(field::kShapes, 4, 4);
    if (!shapes.valid() || shapes.count == 0) return Status::kCorrupt;
    view.shapes_ = shapes.position;
    view.shape_count_ = view.part_count_ = shapes.count;
    if (view.version_major_ >= 2) {
        const PartTables tables(root);
        if (!tables.sound()) return Status::kCorrupt;
        view.parts_ = elements_of<PartNode>(tables.parts);
        if (view.parts_) view.part_count_ = tables.parts.count;
        view.names_ = tables.names.position;
        view.name_count_ = tables.names.count;
        view.pairs_ = elements_of<PartPair>(tables.pairs);
        view.pair_count_ = tables.pairs.count;
    }

    if (verify != Verify::kNone && checksum(buffer.data, size, header + kChecksumOffset) != view.checksum_)
        return Status::kChecksumMismatch;
    if (verify == Verify::kFull) {
        const Status status = verify_asset(view);
        if (status != Status::kOk) return status;
    }
    *asset = view;
    return Status::kOk;
}

}  // namespace espalier
