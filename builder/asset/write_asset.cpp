// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/asset/write_asset.h"

#include <cstring>
#include <limits>
#include <numeric>

#include "builder/sphere/write.h"
#include "espalier_generated.h"
#include "runtime/src/format/checksum.h"

namespace espalier {
namespace {

namespace fb = flatbuffers;

constexpr std::size_t kCacheLine = 64;
/// Refuse a little below FlatBuffers' 2 GiB, leaving room for tables and padding.
constexpr std::size_t kLargestPayload = std::size_t{0x7fffffff} - (std::size_t{1} << 20);

static_assert(sizeof(schema::AabbNode) == sizeof(AabbNode), "runtime and schema must describe the same node");
static_assert(sizeof(schema::BoxNode) == sizeof(BoxNode), "runtime and schema must describe the same node");
static_assert(sizeof(schema::CellNode) == sizeof(CellNode), "runtime and schema must describe the same node");

/// The mesh in a given triangle order, vertices renumbered by first use.
TriangleMesh reordered(const TriangleMesh& mesh, const std::vector<std::uint32_t>& order) {
    constexpr std::uint32_t kUnseen = std::numeric_limits<std::uint32_t>::max();
    TriangleMesh result;
    result.positions.reserve(mesh.positions.size());
    result.triangles.reserve(mesh.triangles.size());
    std::vector<std::uint32_t> renumbered(mesh.positions.size(), kUnseen);
    for (const std::uint32_t triangle : order) {
        Triangle corners = mesh.triangles[triangle];
        for (std::uint32_t& corner : corners) {
            std::uint32_t& number = renumbered[corner];
            if (number == kUnseen) {
                number = static_cast<std::uint32_t>(result.positions.size());
                result.positions.push_back(mesh.positions[corner]);
            }
            corner = number;
        }
        result.triangles.push_back(corners);
    }
    return result;
}

schema::Vec3 vec3(const Eigen::Vector3f& v) {
    return schema::Vec3(v.x(), v.y(), v.z());
}

schema::Box box_of(const TriangleMesh& mesh) {
    Eigen::Vector3f lo = mesh.positions.front(), hi = lo;
    for (const Eigen::Vector3f& p : mesh.positions) {
        lo = lo.cwiseMin(p);
        hi = hi.cwiseMax(p);
    }
    return schema::Box(vec3(lo), vec3(hi));
}

/// A vector of fixed-size elements at a given alignment.
template <class Element, class Source>
fb::Offset<fb::Vector<const Element*>> struct_vector(fb::FlatBufferBuilder& builder,
                                                     const std::vector<Source>& source,
                                                     std::size_t alignment) {
    static_assert(sizeof(Element) == sizeof(Source) && sizeof(Source) % 4 == 0);
    // Counted in words: FlatBuffers aligns a vector to the size of its elements, which need not be a power of
    // two.
    const std::size_t bytes = source.size() * sizeof(Source);
    builder.ForceVectorAlignment(bytes, 1, alignment);
    if (bytes == 0) builder.Align(alignment);  // the line above leaves empty vectors where they fall
    builder.StartVector(bytes / 4, 4);
    builder.PushBytes(reinterpret_cast<const std::uint8_t*>(source.data()), bytes);
    return fb::Offset<fb::Vector<const Element*>>(builder.EndVector(source.size()));
}

class PartWriter {
  public:
    PartWriter(fb::FlatBufferBuilder& builder, const BakedPart& part) : builder_(builder), part_(part) {
        leaf_order_ = part.aabb   ? part.aabb->order
                      : part.box  ? part.box->order
                      : part.cell ? part.cell->order
                                  : identity(part.mesh.triangles.size());
        mesh_ = reordered(part.mesh, leaf_order_);
    }

    fb::Offset<schema::Part> write() {
        const schema::Box bounds = box_of(mesh_);
        const auto aabb = part_.aabb ? write_aabb(*part_.aabb) : fb::Offset<schema::AabbTree>();
        const auto box = part_.box ? write_box(*part_.box) : fb::Offset<schema::BoxTree>();
        const auto sphere = part_.sphere
                                ? write_sphere_tree(builder_, *part_.sphere, stored_triangles(), mesh_)
                                : fb::Offset<schema::SphereTree>();
        const auto cell = part_.cell ? write_cell(*part_.cell) : fb::Offset<schema::CellTree>();
        const auto positions = struct_vector<schema::Vec3>(builder_, mesh_.positions, 4);
        fb::Offset<fb::Vector<std::uint16_t>> narrow;
        fb::Offset<fb::Vector<std::uint32_t>> wide;
        write_indices(&narrow, &wide);
        const auto name = builder_.CreateString(part_.name);
        const schema::Vec3d origin(part_.origin.x(), part_.origin.y(), part_.origin.z());
        schema::PartBuilder table(builder_);
        table.add_name(name);
        table.add_origin(&origin);
        table.add_bounds(&bounds);
        table.add_positions(positions);
        if (!narrow.IsNull()) table.add_indices16(narrow);
        if (!wide.IsNull()) table.add_indices32(wide);
        table.add_closed(part_.closed);
        if (!aabb.IsNull()) table.add_aabb_tree(aabb);
        if (!box.IsNull()) table.add_box_tree(box);
        if (!sphere.IsNull()) table.add_sphere_tree(sphere);
        if (!cell.IsNull()) table.add_cell_tree(cell);
        return table.Finish();
    }

  private:
    static std::vector<std::uint32_t> identity(std::size_t count) {
        std::vector<std::uint32_t> order(count);
        std::iota(order.begin(), order.end(), 0u);
        return order;
    }

    void write_indices(fb::Offset<fb::Vector<std::uint16_t>>* narrow,
                       fb::Offset<fb::Vector<std::uint32_t>>* wide) {
        std::vector<std::uint32_t> flat;
        flat.reserve(3 * mesh_.triangles.size());
        for (const Triangle& t : mesh_.triangles) flat.insert(flat.end(), t.begin(), t.end());
        if (mesh_.positions.size() <= 65536)
            *narrow = builder_.CreateVector(std::vector<std::uint16_t>(flat.begin(), flat.end()));
        else
            *wide = builder_.CreateVector(flat);
    }

    fb::Offset<schema::AabbTree> write_aabb(const AabbTree& tree) {
        const auto nodes = struct_vector<schema::AabbNode>(builder_, tree.nodes, kCacheLine);
        const schema::Box bounds(vec3(tree.lo), vec3(tree.hi));
        schema::AabbTreeBuilder table(builder_);
        table.add_bounds(&bounds);
        table.add_depth(tree.depth);
        table.add_nodes(nodes);
        return table.Finish();
    }

    fb::Offset<schema::BoxTree> write_box(const BoxTree& tree) {
        const auto nodes = struct_vector<schema::BoxNode>(builder_, tree.nodes, kCacheLine);
        const auto order = write_order(tree.order);
        const schema::Box bounds(vec3(tree.lo), vec3(tree.hi));
        schema::BoxTreeBuilder table(builder_);
        table.add_bounds(&bounds);
        table.add_depth(tree.depth);
        table.add_leaf_triangles(tree.leaf_triangles);
        table.add_nodes(nodes);
        if (!order.IsNull()) table.add_triangle_order(order);
        return table.Finish();
    }

    fb::Offset<schema::CellTree> write_cell(const CellTree& tree) {
        const auto nodes = struct_vector<schema::CellNode>(builder_, tree.nodes, kCacheLine);
        const std::vector<std::uint32_t> stored = stored_triangles();
        std::vector<std::uint32_t> triangles = tree.triangles, edges = tree.edges;
        for (std::uint32_t& triangle : triangles) triangle = stored[triangle];
        for (std::uint32_t& edge : edges) edge = 3 * stored[edge / 3] + edge % 3;
        const auto triangle_vector = builder_.CreateVector(triangles);
        const auto edge_vector = builder_.CreateVector(edges);
        const schema::Box bounds(vec3(tree.lo), vec3(tree.hi));
        schema::CellTreeBuilder table(builder_);
        table.add_bounds(&bounds);
        table.add_depth(tree.depth);
        table.add_delta(tree.delta);
        table.add_nodes(nodes);
        table.add_triangles(triangle_vector);
        table.add_edges(edge_vector);
        return table.Finish();
    }

    /// Where each triangle of the input is stored.
    std::vector<std::uint32_t> stored_triangles() const {
        std::vector<std::uint32_t> stored(leaf_order_.size());
        for (std::uint32_t i = 0; i < leaf_order_.size(); ++i) stored[leaf_order_[i]] = i;
        return stored;
    }

    /// Leaf order of a tree as stored triangles; nothing when the mesh is stored in it.
    fb::Offset<fb::Vector<std::uint32_t>> write_order(const std::vector<std::uint32_t>& order) {
        if (order == leaf_order_) return {};
        const std::vector<std::uint32_t> stored = stored_triangles();
        std::vector<std::uint32_t> entries(order.size());
        for (std::size_t i = 0; i < order.size(); ++i) entries[i] = stored[order[i]];
        return builder_.CreateVector(entries);
    }

    fb::FlatBufferBuilder& builder_;
    const BakedPart& part_;
    std::vector<std::uint32_t> leaf_order_;
    TriangleMesh mesh_;
};

fb::Offset<schema::Provenance> write_provenance(fb::FlatBufferBuilder& builder,
                                                const AssetContents& contents) {
    std::vector<fb::Offset<schema::Option>> options;
    for (const auto& [name, value] : contents.options) {
        const auto name_text = builder.CreateString(name);
        const auto value_text = builder.CreateString(value);
        options.push_back(schema::CreateOption(builder, name_text, value_text));
    }
    const auto option_vector = builder.CreateVector(options);
    const auto source = builder.CreateString(contents.provenance.source_name);
    const auto digest =
        builder.CreateVector(contents.provenance.sha256.data(), contents.provenance.sha256.size());
    const auto unit = builder.CreateString(contents.unit);
    return schema::CreateProvenance(builder, source, digest, unit, contents.scale, option_vector);
}

std::size_t payload_bytes(const AssetContents& contents) {
    std::size_t bytes = 0;
    for (const BakedPart& part : contents.parts) {
        bytes += part.mesh.positions.size() * 12 + part.mesh.triangles.size() * 12;
        if (part.aabb) bytes += part.aabb->nodes.size() * sizeof(AabbNode);
        if (part.cell)
            bytes += part.cell->nodes.size() * sizeof(CellNode) +
                     (part.cell->triangles.size() + part.cell->edges.size()) * 4;
        if (part.box) bytes += part.box->nodes.size() * sizeof(BoxNode) + part.box->order.size() * 4;
    }
    for (const BakedPart& part : contents.parts)
        if (part.sphere) bytes += sphere_tree_payload(*part.sphere);
    return bytes;
}

/// Fills in what only the finished file knows.
void seal(std::vector<std::uint8_t>& bytes) {
    const schema::Header* header = schema::GetAsset(bytes.data())->header();
    const auto at = static_cast<std::size_t>(reinterpret_cast<const std::uint8_t*>(header) - bytes.data());
    const std::uint64_t size = bytes.size();
    std::memcpy(bytes.data() + at + 8, &size, 8);
    const std::uint64_t sum = checksum(bytes.data(), bytes.size(), at + 16);
    std::memcpy(bytes.data() + at + 16, &sum, 8);
}

}  // namespace

Result<std::vector<std::uint8_t>> write_asset(const AssetContents& contents) {
    const std::size_t payload = payload_bytes(contents);
    if (payload > kLargestPayload)
        return Error{ErrorKind::kUnsupported, "the asset would need " + std::to_string(payload >> 20) +
                                                  " MiB; a file holds at most 2047 MiB: split the mesh"};
    fb::FlatBufferBuilder builder(payload + 4096);
    std::vector<fb::Offset<schema::Part>> parts;
    for (const BakedPart& part : contents.parts) parts.push_back(PartWriter(builder, part).write());
    const auto part_vector = builder.CreateVector(parts);
    const auto provenance = write_provenance(builder, contents);
    const schema::Header header(kFormatMajor, kFormatMinor, kBuilderRevision, 0, 0);
    schema::AssetBuilder asset(builder);
    asset.add_header(&header);
    asset.add_provenance(provenance);
    asset.add_parts(part_vector);
    schema::FinishAssetBuffer(builder, asset.Finish());
    std::vector<std::uint8_t> bytes(builder.GetBufferPointer(),
                                    builder.GetBufferPointer() + builder.GetSize());
    seal(bytes);
    return bytes;
}

}  // namespace espalier
