// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/asset/write_asset.h"

#include <cstring>
#include <limits>
#include <numeric>

#include "builder/hierarchy/part_writer.h"
#include "runtime/src/format/checksum.h"

namespace espalier {
namespace {

namespace fb = flatbuffers;

/// Refuse a little below FlatBuffers' 2 GiB, leaving room for tables and padding.
constexpr std::size_t kLargestPayload = std::size_t{0x7fffffff} - (std::size_t{1} << 20);

/// Bytes that the tables of a shape and the padding between its vectors take at most: four trees of less than
/// 200 bytes each and up to 63 in front of each of their vectors of nodes. Less would let many small shapes
/// grow beyond what is refused above.
constexpr std::size_t kShapeTables = 1400;

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

schema::Box box_of(const TriangleMesh& mesh) {
    Eigen::Vector3f lo = mesh.positions.front(), hi = lo;
    for (const Eigen::Vector3f& p : mesh.positions) {
        lo = lo.cwiseMin(p);
        hi = hi.cwiseMax(p);
    }
    return schema::Box(stored_vector(lo), stored_vector(hi));
}

/// The trees in the order in which an asset records them.
std::vector<const BuiltTree*> recorded_trees(const BakedShape& part, HierarchyRows list) {
    std::vector<const BuiltTree*> trees;
    for (const Hierarchy* row : list)
        for (const BuiltTreePtr& tree : part.trees)
            if (&tree->hierarchy() == row) trees.push_back(tree.get());
    return trees;
}

/// Triangles of the input in the order in which they are stored: that of the first tree that has one.
std::vector<std::uint32_t> stored_order(const std::vector<const BuiltTree*>& trees, std::size_t triangles) {
    for (const BuiltTree* tree : trees)
        if (const std::span<const std::uint32_t> order = tree->leaf_order(); !order.empty())
            return {order.begin(), order.end()};
    std::vector<std::uint32_t> order(triangles);
    std::iota(order.begin(), order.end(), 0u);
    return order;
}

/// Where each triangle of the input is stored.
std::vector<std::uint32_t> inverse(const std::vector<std::uint32_t>& order) {
    std::vector<std::uint32_t> stored(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) stored[order[i]] = i;
    return stored;
}

/// The corners of all triangles, in 16 bits where the vertices fit; one of the two stays empty.
struct StoredIndices {
    fb::Offset<fb::Vector<std::uint16_t>> narrow;
    fb::Offset<fb::Vector<std::uint32_t>> wide;
};

StoredIndices write_indices(fb::FlatBufferBuilder& builder, const TriangleMesh& mesh) {
    StoredIndices indices;
    std::vector<std::uint32_t> flat;
    flat.reserve(3 * mesh.triangles.size());
    for (const Triangle& t : mesh.triangles) flat.insert(flat.end(), t.begin(), t.end());
    if (mesh.positions.size() <= 65536)
        indices.narrow = builder.CreateVector(std::vector<std::uint16_t>(flat.begin(), flat.end()));
    else
        indices.wide = builder.CreateVector(flat);
    return indices;
}

fb::Offset<schema::Shape> write_shape(fb::FlatBufferBuilder& builder, const BakedShape& part,
                                      HierarchyRows list) {
    const std::vector<const BuiltTree*> trees = recorded_trees(part, list);
    const std::vector<std::uint32_t> order = stored_order(trees, part.mesh.triangles.size());
    const std::vector<std::uint32_t> stored = inverse(order);
    const TriangleMesh mesh = reordered(part.mesh, order);
    const schema::Box bounds = box_of(mesh);
    std::vector<WrittenTree> written;
    written.reserve(trees.size());
    for (const BuiltTree* tree : trees)
        written.push_back(tree->write(PartWriter{builder, mesh, order, stored}));
    const auto positions = struct_vector<schema::Vec3>(builder, mesh.positions, 4);
    const StoredIndices indices = write_indices(builder, mesh);
    const auto name = builder.CreateString(part.name);
    const schema::Vec3d origin(part.origin.x(), part.origin.y(), part.origin.z());
    schema::ShapeBuilder table(builder);
    table.add_name(name);
    table.add_origin(&origin);
    table.add_bounds(&bounds);
    table.add_positions(positions);
    if (!indices.narrow.IsNull()) table.add_indices16(indices.narrow);
    if (!indices.wide.IsNull()) table.add_indices32(indices.wide);
    table.add_closed(part.closed);
    for (const WrittenTree& tree : written) builder.AddOffset(tree.field, tree.table);
    return table.Finish();
}

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

/// Vectors of the root; null where there is nothing to say.
struct WrittenBody {
    fb::Offset<fb::Vector<const schema::Part*>> parts;
    fb::Offset<fb::Vector<fb::Offset<fb::String>>> names;
    fb::Offset<fb::Vector<const schema::PartPair*>> pairs;
};

WrittenBody write_body(fb::FlatBufferBuilder& builder, const StoredParts& body) {
    WrittenBody written;
    if (!body.pairs.empty()) written.pairs = struct_vector<schema::PartPair>(builder, body.pairs, 4);
    if (!body.names.empty()) written.names = builder.CreateVectorOfStrings(body.names);
    if (!body.parts.empty()) written.parts = struct_vector<schema::Part>(builder, body.parts, 8);
    return written;
}

std::size_t payload_bytes(const AssetContents& contents) {
    std::size_t bytes = 0;
    for (const BakedShape& part : contents.shapes) {
        bytes += part.mesh.positions.size() * 12 + part.mesh.triangles.size() * 12;
        for (const BuiltTreePtr& tree : part.trees) bytes += tree->payload_bytes();
        bytes += kShapeTables;
    }
    bytes += contents.body.parts.size() * sizeof(PartNode) + contents.body.pairs.size() * sizeof(PartPair);
    for (const std::string& name : contents.body.names) bytes += name.size() + 13;
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

Result<std::vector<std::uint8_t>> write_asset(const AssetContents& contents, HierarchyRows list) {
    const std::size_t payload = payload_bytes(contents);
    if (payload > kLargestPayload)
        return Error{ErrorKind::kUnsupported, "the asset would need " + std::to_string(payload >> 20) +
                                                  " MiB; a file holds at most 2047 MiB: split the mesh"};
    fb::FlatBufferBuilder builder(payload + 4096);
    std::vector<fb::Offset<schema::Shape>> shapes;
    for (const BakedShape& shape : contents.shapes) shapes.push_back(write_shape(builder, shape, list));
    const auto shape_vector = builder.CreateVector(shapes);
    const WrittenBody body = write_body(builder, contents.body);
    const auto provenance = write_provenance(builder, contents);
    const schema::Header header(kFormatMajor, kFormatMinor, kBuilderRevision, 0, 0);
    schema::AssetBuilder asset(builder);
    asset.add_header(&header);
    asset.add_provenance(provenance);
    asset.add_shapes(shape_vector);
    if (!body.parts.IsNull()) asset.add_parts(body.parts);
    if (!body.names.IsNull()) asset.add_names(body.names);
    if (!body.pairs.IsNull()) asset.add_pairs(body.pairs);
    schema::FinishAssetBuffer(builder, asset.Finish());
    std::vector<std::uint8_t> bytes(builder.GetBufferPointer(),
                                    builder.GetBufferPointer() + builder.GetSize());
    seal(bytes);
    return bytes;
}

}  // namespace espalier
