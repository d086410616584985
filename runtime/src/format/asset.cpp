// SPDX-License-Identifier: MIT
// Finds the pieces of an asset by the checked reader. Touches the header, the root and the part tables only.
#include "espalier/asset.h"

#include "checksum.h"
#include "flatbuffer_reader.h"
#include "verify.h"

namespace espalier {
namespace {

constexpr std::uint32_t kSmallestFile = 48;         // root offset, identifier, root table, its vtable, header
constexpr std::uint32_t kLargestFile = 0x7fffffff;  // FlatBuffers' offsets are signed 32 bit
constexpr std::uint32_t kBaseAlignment = 16;
constexpr std::uint32_t kNodeAlignment = 16;

template <class T>
const T* elements(const VectorRange& range) {
    return reinterpret_cast<const T*>(range.data);
}

bool read_box(Buffer buffer, const Table& table, std::uint32_t id, float* lo, float* hi) {
    const std::uint32_t position = table.field(id, 24, 4);
    if (!position) return false;
    for (std::uint32_t k = 0; k < 3; ++k) {
        lo[k] = buffer.read<float>(position + 4 * k);
        hi[k] = buffer.read<float>(position + 12 + 4 * k);
    }
    return true;
}

/// An optional vector of one entry a triangle. False: it is there, and wrong.
bool read_per_triangle(const Table& table, std::uint32_t id, std::uint32_t triangle_count,
                       const std::uint32_t** entries) {
    const VectorRange range = table.vector(id, 4, 4);
    *entries = elements<std::uint32_t>(range);
    return !range.broken() && (!range.valid() || range.count == triangle_count);
}

Status read_mesh(const Table& part, MeshView* mesh) {
    const VectorRange positions = part.vector(field::kPositions, 12, 4);
    const VectorRange narrow = part.vector(field::kIndices16, 2, 2);
    const VectorRange wide = part.vector(field::kIndices32, 4, 4);
    if (!positions.valid() || narrow.broken() || wide.broken() || narrow.valid() == wide.valid())
        return Status::kCorrupt;
    const std::uint32_t indices = narrow.valid() ? narrow.count : wide.count;
    if (indices == 0 || indices % 3 != 0) return Status::kCorrupt;
    mesh->positions = elements<float>(positions);
    mesh->vertex_count = positions.count;
    mesh->triangle_count = indices / 3;
    mesh->indices16 = elements<std::uint16_t>(narrow);
    mesh->indices32 = elements<std::uint32_t>(wide);
    return read_per_triangle(part, field::kSourceTriangles, mesh->triangle_count, &mesh->source_triangles)
               ? Status::kOk
               : Status::kCorrupt;
}

Status read_aabb_tree(Buffer buffer, const Table& part, std::uint32_t triangle_count, AabbTreeView* tree) {
    if (!part.has(field::kAabbTree)) return Status::kOk;
    const Table table = part.table(field::kAabbTree);
    const VectorRange nodes = table.vector(field::kNodes, sizeof(AabbNode), kNodeAlignment);
    if (!nodes.valid() || nodes.count == 0) return Status::kCorrupt;
    if (!read_per_triangle(table, field::kTriangleOrder, triangle_count, &tree->triangle_order))
        return Status::kCorrupt;
    if (!read_box(buffer, table, field::kTreeBounds, tree->lo, tree->hi)) return Status::kCorrupt;
    tree->nodes = elements<AabbNode>(nodes);
    tree->node_count = nodes.count;
    tree->depth = table.scalar<std::uint32_t>(field::kDepth, 0);
    return Status::kOk;
}

Status read_box_tree(Buffer buffer, const Table& part, std::uint32_t triangle_count, BoxTreeView* tree) {
    if (!part.has(field::kBoxTree)) return Status::kOk;
    const Table table = part.table(field::kBoxTree);
    const VectorRange nodes = table.vector(field::kBoxNodes, sizeof(BoxNode), alignof(BoxNode));
    const std::uint32_t leaf = table.scalar<std::uint32_t>(field::kBoxLeafTriangles, 0);
    if (!nodes.valid() || leaf == 0 || leaf > kMaxLeafTriangles) return Status::kCorrupt;
    if (nodes.count != (triangle_count - 1) / leaf) return Status::kCorrupt;
    if (!read_per_triangle(table, field::kBoxTriangleOrder, triangle_count, &tree->triangle_order))
        return Status::kCorrupt;
    if (!read_box(buffer, table, field::kBoxBounds, tree->lo, tree->hi)) return Status::kCorrupt;
    tree->nodes = elements<BoxNode>(nodes);
    tree->leaf_count = nodes.count + 1;
    tree->leaf_triangles = leaf;
    tree->depth = table.scalar<std::uint32_t>(field::kBoxDepth, 0);
    return Status::kOk;
}

Status read_cell_tree(Buffer buffer, const Table& part, CellTreeView* tree) {
    if (!part.has(field::kCellTree)) return Status::kOk;
    const Table table = part.table(field::kCellTree);
    const VectorRange nodes = table.vector(field::kCellNodes, sizeof(CellNode), alignof(CellNode));
    const VectorRange triangles = table.vector(field::kCellTriangles, 4, 4);
    const VectorRange edges = table.vector(field::kCellEdges, 4, 4);
    if (!nodes.valid() || nodes.count == 0 || !triangles.valid() || !edges.valid()) return Status::kCorrupt;
    if (!read_box(buffer, table, field::kCellBounds, tree->lo, tree->hi)) return Status::kCorrupt;
    tree->nodes = elements<CellNode>(nodes);
    tree->unit_count = nodes.count;
    tree->depth = table.scalar<std::uint32_t>(field::kCellDepth, 0);
    tree->delta = table.scalar<float>(field::kCellDelta, 0);
    tree->triangles = elements<std::uint32_t>(triangles);
    tree->triangle_entries = triangles.count;
    tree->edges = elements<std::uint32_t>(edges);
    tree->edge_entries = edges.count;
    return Status::kOk;
}

/// Levels without gaps that use every sphere, and vectors of the lengths that follow from them. O(levels).
bool sphere_lengths_match(const SphereTreeView& tree, const VectorRange& child_ends,
                          const VectorRange& leaf_ends) {
    std::uint32_t next = 0;
    for (std::uint32_t i = 0; i < tree.level_count; ++i) {
        const SphereLevelNode& level = tree.levels[i];
        if (level.first != next || level.count == 0 || level.count > tree.sphere_count - next) return false;
        next += level.count;
    }
    const SphereLevelNode& last = tree.levels[tree.level_count - 1];
    return next == tree.sphere_count && tree.levels[0].count == 1 && leaf_ends.count == last.count &&
           (child_ends.valid() ? child_ends.count : 0) == last.first;
}

/// Shared children are all there or all absent; a DAG's lists have them already.
Status read_shared_children(const Table& table, SphereTreeView* tree) {
    const VectorRange ends = table.vector(field::kSphereSharedEnds, 4, 4);
    const VectorRange list = table.vector(field::kSphereSharedList, 4, 4);
    if (ends.broken() || list.broken() || ends.valid() != list.valid()) return Status::kCorrupt;
    if (!ends.valid()) return Status::kOk;
    if (tree->dag() || ends.count != tree->inner_count()) return Status::kCorrupt;
    tree->shared_ends = elements<std::uint32_t>(ends);
    tree->shared_list = elements<std::uint32_t>(list);
    tree->shared_list_count = list.count;
    return Status::kOk;
}

Status read_sphere_tree(const Table& part, SphereTreeView* tree) {
    if (!part.has(field::kSphereTree)) return Status::kOk;
    const Table table = part.table(field::kSphereTree);
    const VectorRange spheres = table.vector(field::kSpheres, sizeof(SphereNode), alignof(SphereNode));
    const VectorRange errors = table.vector(field::kSphereErrors, 4, 4);
    const VectorRange levels =
        table.vector(field::kSphereLevels, sizeof(SphereLevelNode), alignof(SphereLevelNode));
    const VectorRange child_ends = table.vector(field::kSphereChildEnds, 4, 4);
    const VectorRange child_list = table.vector(field::kSphereChildList, 4, 4);
    const VectorRange leaf_ends = table.vector(field::kSphereLeafEnds, 4, 4);
    const VectorRange triangles = table.vector(field::kSphereLeafTriangles, 4, 4);
    const VectorRange shells = table.vector(field::kSphereShells, sizeof(StoredBox), 4);
    if (!spheres.valid() || !errors.valid() || !levels.valid() || !leaf_ends.valid() || !triangles.valid() ||
        child_ends.broken() || child_list.broken() || shells.broken())
        return Status::kCorrupt;
    if (spheres.count == 0 || errors.count != spheres.count || levels.count == 0) return Status::kCorrupt;
    if (levels.count > kMaxSphereLevels) return Status::kTooDeep;
    tree->sphere_count = spheres.count;
    tree->levels = elements<SphereLevelNode>(levels);
    tree->level_count = levels.count;
    if (!sphere_lengths_match(*tree, child_ends, leaf_ends)) return Status::kCorrupt;
    tree->spheres = elements<SphereNode>(spheres);
    tree->errors = elements<float>(errors);
    tree->child_ends = elements<std::uint32_t>(child_ends);
    tree->child_list = elements<std::uint32_t>(child_list);
    tree->child_list_count = child_list.count;
    tree->leaf_ends = elements<std::uint32_t>(leaf_ends);
    tree->leaf_triangles = elements<std::uint32_t>(triangles);
    tree->leaf_triangle_count = triangles.count;
    if (shells.count > 0) tree->shells = elements<StoredBox>(shells);
    tree->shell_count = shells.count;
    const std::uint8_t coverage = table.scalar<std::uint8_t>(field::kSphereCoverage, 0);
    const std::uint8_t solid = table.scalar<std::uint8_t>(field::kSphereSolid, 0);
    if (coverage > 2 || solid > 1) return Status::kCorrupt;
    tree->coverage = SphereCoverage(coverage);
    tree->open = solid == 1;
    tree->proved = table.scalar<std::uint8_t>(field::kSphereProved, 0) != 0;
    tree->volume_proved = table.scalar<std::uint8_t>(field::kSphereVolumeProved, 0) != 0;
    tree->solid_volume = table.scalar<double>(field::kSphereSolidVolume, 0);
    tree->limit = table.scalar<std::uint8_t>(field::kSphereLimit, 0);
    tree->method = table.scalar<std::uint8_t>(field::kSphereMethod, 0);
    tree->branch = table.scalar<std::uint32_t>(field::kSphereBranch, 0);
    return read_shared_children(table, tree);
}

Status read_part(Buffer buffer, const Table& table, PartView* part) {
    if (!table.valid()) return Status::kCorrupt;
    part->name = table.string(field::kName);
    part->closed = table.scalar<std::uint8_t>(field::kClosed, 0) != 0;
    if (const std::uint32_t position = table.field(field::kOrigin, 24, 8))
        for (std::uint32_t k = 0; k < 3; ++k) part->origin[k] = buffer.read<double>(position + 8 * k);
    if (!read_box(buffer, table, field::kBounds, part->lo, part->hi)) return Status::kCorrupt;
    const Status mesh = read_mesh(table, &part->mesh);
    if (mesh != Status::kOk) return mesh;
    const Status aabb = read_aabb_tree(buffer, table, part->mesh.triangle_count, &part->aabb);
    if (aabb != Status::kOk) return aabb;
    const Status box = read_box_tree(buffer, table, part->mesh.triangle_count, &part->box);
    if (box != Status::kOk) return box;
    const Status cell = read_cell_tree(buffer, table, &part->cell);
    if (cell != Status::kOk) return cell;
    return read_sphere_tree(table, &part->sphere);
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
