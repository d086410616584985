// SPDX-License-Identifier: GPL-3.0-or-later
// The runtime's FlatBuffers reader against flatc's generated code: the same field numbers, and the same
// content of real assets and of assets with everything that the writer may leave out.
#include "runtime/src/format/flatbuffer_reader.h"

#include <gtest/gtest.h>

#include <cstring>

#include "builder/aabb/row.h"
#include "builder/box/row.h"
#include "espalier_generated.h"
#include "runtime/src/format/hierarchies.h"
#include "tests/support/baked_mesh.h"
#include "tests/support/meshes.h"
#include "tests/support/sphere_asset.h"

namespace espalier::testing {
namespace {

namespace fb = flatbuffers;

/// Slot of a field in a vtable, as flatc numbers it.
constexpr int slot(std::uint32_t id) {
    return static_cast<int>(4 + 2 * id);
}

TEST(FieldNumbers, EqualTheGeneratedOnes) {
    EXPECT_EQ(slot(field::kHeader), schema::Asset::VT_HEADER);
    EXPECT_EQ(slot(field::kProvenance), schema::Asset::VT_PROVENANCE);
    EXPECT_EQ(slot(field::kShapes), schema::Asset::VT_SHAPES);
    EXPECT_EQ(slot(field::kParts), schema::Asset::VT_PARTS);
    EXPECT_EQ(slot(field::kNames), schema::Asset::VT_NAMES);
    EXPECT_EQ(slot(field::kPairs), schema::Asset::VT_PAIRS);
    EXPECT_EQ(sizeof(PartNode), sizeof(schema::Part));
    EXPECT_EQ(sizeof(PartPair), sizeof(schema::PartPair));

    EXPECT_EQ(slot(field::kName), schema::Shape::VT_NAME);
    EXPECT_EQ(slot(field::kOrigin), schema::Shape::VT_ORIGIN);
    EXPECT_EQ(slot(field::kBounds), schema::Shape::VT_BOUNDS);
    EXPECT_EQ(slot(field::kPositions), schema::Shape::VT_POSITIONS);
    EXPECT_EQ(slot(field::kIndices16), schema::Shape::VT_INDICES16);
    EXPECT_EQ(slot(field::kIndices32), schema::Shape::VT_INDICES32);
    EXPECT_EQ(slot(field::kSourceTriangles), schema::Shape::VT_SOURCE_TRIANGLES);
    EXPECT_EQ(slot(field::kClosed), schema::Shape::VT_CLOSED);
    EXPECT_EQ(slot(AabbFormat::kShapeField), schema::Shape::VT_AABB_TREE);
    EXPECT_EQ(slot(BoxFormat::kShapeField), schema::Shape::VT_BOX_TREE);

    EXPECT_EQ(slot(CellFormat::kShapeField), schema::Shape::VT_CELL_TREE);
    EXPECT_EQ(slot(SphereFormat::kShapeField), schema::Shape::VT_SPHERE_TREE);

    EXPECT_EQ(slot(AabbFormat::kBounds), schema::AabbTree::VT_BOUNDS);
    EXPECT_EQ(slot(AabbFormat::kDepth), schema::AabbTree::VT_DEPTH);
    EXPECT_EQ(slot(AabbFormat::kNodes), schema::AabbTree::VT_NODES);
    EXPECT_EQ(slot(AabbFormat::kTriangleOrder), schema::AabbTree::VT_TRIANGLE_ORDER);

    EXPECT_EQ(slot(BoxFormat::kBounds), schema::BoxTree::VT_BOUNDS);
    EXPECT_EQ(slot(BoxFormat::kDepth), schema::BoxTree::VT_DEPTH);
    EXPECT_EQ(slot(BoxFormat::kLeafTriangles), schema::BoxTree::VT_LEAF_TRIANGLES);
    EXPECT_EQ(slot(BoxFormat::kNodes), schema::BoxTree::VT_NODES);
    EXPECT_EQ(slot(BoxFormat::kTriangleOrder), schema::BoxTree::VT_TRIANGLE_ORDER);

    EXPECT_EQ(slot(CellFormat::kBounds), schema::CellTree::VT_BOUNDS);
    EXPECT_EQ(slot(CellFormat::kDepth), schema::CellTree::VT_DEPTH);
    EXPECT_EQ(slot(CellFormat::kDelta), schema::CellTree::VT_DELTA);
    EXPECT_EQ(slot(CellFormat::kNodes), schema::CellTree::VT_NODES);
    EXPECT_EQ(slot(CellFormat::kTriangles), schema::CellTree::VT_TRIANGLES);
    EXPECT_EQ(slot(CellFormat::kEdges), schema::CellTree::VT_EDGES);

    EXPECT_EQ(slot(SphereFormat::kSpheres), schema::SphereTree::VT_SPHERES);
    EXPECT_EQ(slot(SphereFormat::kErrors), schema::SphereTree::VT_ERRORS);
    EXPECT_EQ(slot(SphereFormat::kLevels), schema::SphereTree::VT_LEVELS);
    EXPECT_EQ(slot(SphereFormat::kChildEnds), schema::SphereTree::VT_CHILD_ENDS);
    EXPECT_EQ(slot(SphereFormat::kChildList), schema::SphereTree::VT_CHILD_LIST);
    EXPECT_EQ(slot(SphereFormat::kLeafEnds), schema::SphereTree::VT_LEAF_ENDS);
    EXPECT_EQ(slot(SphereFormat::kLeafTriangles), schema::SphereTree::VT_LEAF_TRIANGLES);
    EXPECT_EQ(slot(SphereFormat::kCoverage), schema::SphereTree::VT_COVERAGE);
    EXPECT_EQ(slot(SphereFormat::kProved), schema::SphereTree::VT_PROVED);
    EXPECT_EQ(slot(SphereFormat::kVolumeProved), schema::SphereTree::VT_VOLUME_PROVED);
    EXPECT_EQ(slot(SphereFormat::kSolid), schema::SphereTree::VT_SOLID);
    EXPECT_EQ(slot(SphereFormat::kSolidVolume), schema::SphereTree::VT_SOLID_VOLUME);
    EXPECT_EQ(slot(SphereFormat::kLimit), schema::SphereTree::VT_LIMIT);
    EXPECT_EQ(slot(SphereFormat::kBranch), schema::SphereTree::VT_BRANCH);
    EXPECT_EQ(slot(SphereFormat::kMethod), schema::SphereTree::VT_METHOD);
    EXPECT_EQ(slot(SphereFormat::kShells), schema::SphereTree::VT_SHELLS);
    EXPECT_EQ(slot(SphereFormat::kSharedEnds), schema::SphereTree::VT_SHARED_ENDS);
    EXPECT_EQ(slot(SphereFormat::kSharedList), schema::SphereTree::VT_SHARED_LIST);
}

TEST(StoredStructs, HaveTheGeneratedLayout) {
    EXPECT_EQ(sizeof(schema::Header), kHeaderBytes);
    const schema::Header header(1, 2, 3, 4, 0x1122334455667788u);
    std::uint64_t sum;
    std::memcpy(&sum, reinterpret_cast<const std::uint8_t*>(&header) + kChecksumOffset, 8);
    EXPECT_EQ(sum, header.checksum());
    EXPECT_EQ(sizeof(schema::AabbNode), sizeof(AabbNode));
    EXPECT_EQ(sizeof(schema::BoxNode), sizeof(BoxNode));

    // A node of distinct bytes, read both ways.
    std::uint8_t bytes[64];
    for (std::size_t i = 0; i < sizeof(bytes); ++i) bytes[i] = static_cast<std::uint8_t>(i * 3 + 1);
    alignas(16) AabbNode ours;
    alignas(16) schema::AabbNode theirs;
    std::memcpy(&ours, bytes, sizeof(ours));
    std::memcpy(static_cast<void*>(&theirs), bytes, sizeof(theirs));
    for (std::uint16_t i = 0; i < 12; ++i) {
        EXPECT_EQ(ours.lo[i], theirs.lo()->Get(i));
        EXPECT_EQ(ours.hi[i], theirs.hi()->Get(i));
        EXPECT_EQ(ours.normal[i], theirs.normal()->Get(i));
    }
    for (std::uint16_t i = 0; i < 4; ++i) {
        EXPECT_EQ(ours.slab_lo[i], theirs.slab_lo()->Get(i));
        EXPECT_EQ(ours.slab_hi[i], theirs.slab_hi()->Get(i));
        EXPECT_EQ(ours.radius[i], theirs.radius()->Get(i));
        EXPECT_EQ(ours.kind[i], theirs.kind()->Get(i));
    }
    EXPECT_EQ(ours.first_child, theirs.first_child());
    EXPECT_EQ(ours.first_triangle, theirs.first_triangle());
    EXPECT_EQ(ours.reserved, theirs.reserved());

    alignas(8) BoxNode our_box;
    alignas(8) schema::BoxNode their_box;
    std::memcpy(&our_box, bytes, sizeof(our_box));
    std::memcpy(static_cast<void*>(&their_box), bytes, sizeof(their_box));
    for (std::uint16_t i = 0; i < 6; ++i) EXPECT_EQ(our_box.cut[i], their_box.cut()->Get(i));
    EXPECT_EQ(our_box.left, their_box.left());

    CellNode our_cell;
    schema::CellNode their_cell;
    std::memcpy(&our_cell, bytes, sizeof(our_cell));
    std::memcpy(static_cast<void*>(&their_cell), bytes, sizeof(their_cell));
    EXPECT_EQ(our_cell.first, their_cell.first());
    EXPECT_EQ(our_cell.second, their_cell.second());

    SphereLevelNode our_level{1, 2, 3.0F, 4.0F, 5.0, 6.0};
    schema::SphereLevel their_level;
    static_assert(sizeof(our_level) == sizeof(their_level));
    std::memcpy(static_cast<void*>(&their_level), &our_level, sizeof(our_level));
    EXPECT_EQ(their_level.first(), 1u);
    EXPECT_EQ(their_level.count(), 2u);
    EXPECT_EQ(their_level.error_mean(), 3.0F);
    EXPECT_EQ(their_level.error_max(), 4.0F);
    EXPECT_EQ(their_level.union_volume(), 5.0);
    EXPECT_EQ(their_level.outside_volume(), 6.0);
    SphereNode our_sphere{{1, 2, 3}, 4};
    schema::SphereNode their_sphere;
    static_assert(sizeof(our_sphere) == sizeof(their_sphere));
    std::memcpy(static_cast<void*>(&their_sphere), &our_sphere, sizeof(our_sphere));
    EXPECT_EQ(their_sphere.center().z(), 3.0F);
    EXPECT_EQ(their_sphere.radius(), 4.0F);
}

template <class T>
bool same_start(const T* ours, const void* theirs) {
    return static_cast<const void*>(ours) == theirs;
}

void expect_box(const float* lo, const float* hi, const schema::Box* box) {
    ASSERT_NE(box, nullptr);
    EXPECT_EQ(lo[0], box->lo().x());
    EXPECT_EQ(lo[1], box->lo().y());
    EXPECT_EQ(lo[2], box->lo().z());
    EXPECT_EQ(hi[0], box->hi().x());
    EXPECT_EQ(hi[1], box->hi().y());
    EXPECT_EQ(hi[2], box->hi().z());
}

/// A vector field: same place, or absent in both.
template <class T, class Vector>
void expect_vector(const T* ours, std::uint32_t count, const Vector* theirs) {
    if (!theirs) {
        EXPECT_EQ(ours, nullptr);
        return;
    }
    EXPECT_TRUE(same_start(ours, theirs->Data()));
    EXPECT_EQ(count, theirs->size());
}

void expect_sphere_tree(const SphereTreeView& ours, const schema::SphereTree* theirs) {
    ASSERT_EQ(ours.spheres != nullptr, theirs != nullptr);
    if (!theirs) return;
    expect_vector(ours.spheres, ours.sphere_count, theirs->spheres());
    expect_vector(ours.errors, ours.sphere_count, theirs->errors());
    expect_vector(ours.levels, ours.level_count, theirs->levels());
    expect_vector(ours.child_ends, ours.inner_count(), theirs->child_ends());
    expect_vector(ours.child_list, ours.child_list_count, theirs->child_list());
    expect_vector(ours.leaf_ends, ours.levels[ours.level_count - 1].count, theirs->leaf_ends());
    expect_vector(ours.leaf_triangles, ours.leaf_triangle_count, theirs->leaf_triangles());
    expect_vector(ours.shells, ours.shell_count, theirs->shells());
    expect_vector(ours.shared_ends, ours.inner_count(), theirs->shared_ends());
    expect_vector(ours.shared_list, ours.shared_list_count, theirs->shared_list());
    EXPECT_EQ(static_cast<std::uint8_t>(ours.coverage), theirs->coverage());
    EXPECT_EQ(ours.proved, theirs->proved());
    EXPECT_EQ(ours.volume_proved, theirs->volume_proved());
    EXPECT_EQ(ours.open, theirs->solid() == 1);
    EXPECT_EQ(ours.capped, theirs->solid() == 2);
    EXPECT_EQ(ours.gap, theirs->gap());
    EXPECT_EQ(ours.filling, theirs->filling());
    EXPECT_EQ(ours.solid_volume, theirs->solid_volume());
    EXPECT_EQ(ours.limit, theirs->limit());
    EXPECT_EQ(ours.branch, theirs->branch());
    EXPECT_EQ(ours.method, theirs->method());
}

void expect_part(const ShapeView& ours, const schema::Shape* theirs) {
    EXPECT_STREQ(ours.name, theirs->name() ? theirs->name()->c_str() : "");
    if (theirs->origin()) {
        EXPECT_EQ(ours.origin[0], theirs->origin()->x());
        EXPECT_EQ(ours.origin[1], theirs->origin()->y());
        EXPECT_EQ(ours.origin[2], theirs->origin()->z());
    } else {
        for (const double o : ours.origin) EXPECT_EQ(o, 0.0);
    }
    expect_box(ours.lo, ours.hi, theirs->bounds());
    EXPECT_EQ(ours.closed, theirs->closed());
    const MeshView& mesh = ours.mesh;
    expect_vector(mesh.positions, mesh.vertex_count, theirs->positions());
    expect_vector(mesh.indices16, 3 * mesh.triangle_count, theirs->indices16());
    expect_vector(mesh.indices32, 3 * mesh.triangle_count, theirs->indices32());
    expect_vector(mesh.source_triangles, mesh.triangle_count, theirs->source_triangles());

    ASSERT_EQ(ours.aabb.nodes != nullptr, theirs->aabb_tree() != nullptr);
    if (const schema::AabbTree* tree = theirs->aabb_tree()) {
        expect_box(ours.aabb.lo, ours.aabb.hi, tree->bounds());
        EXPECT_EQ(ours.aabb.depth, tree->depth());
        expect_vector(ours.aabb.nodes, ours.aabb.node_count, tree->nodes());
        expect_vector(ours.aabb.triangle_order, mesh.triangle_count, tree->triangle_order());
    }
    ASSERT_EQ(ours.box.leaf_count != 0, theirs->box_tree() != nullptr);
    if (const schema::BoxTree* tree = theirs->box_tree()) {
        expect_box(ours.box.lo, ours.box.hi, tree->bounds());
        EXPECT_EQ(ours.box.depth, tree->depth());
        EXPECT_EQ(ours.box.leaf_triangles, tree->leaf_triangles());
        expect_vector(ours.box.nodes, ours.box.leaf_count - 1, tree->nodes());
        expect_vector(ours.box.triangle_order, mesh.triangle_count, tree->triangle_order());
    }
    ASSERT_EQ(ours.cell.unit_count != 0, theirs->cell_tree() != nullptr);
    if (const schema::CellTree* tree = theirs->cell_tree()) {
        expect_box(ours.cell.lo, ours.cell.hi, tree->bounds());
        EXPECT_EQ(ours.cell.depth, tree->depth());
        EXPECT_EQ(ours.cell.delta, tree->delta());
        expect_vector(ours.cell.nodes, ours.cell.unit_count, tree->nodes());
        expect_vector(ours.cell.triangles, ours.cell.triangle_entries, tree->triangles());
        expect_vector(ours.cell.edges, ours.cell.edge_entries, tree->edges());
    }
    expect_sphere_tree(ours.sphere, theirs->sphere_tree());
}

/// Opens by ours, verifies and reads by theirs, compares.
void expect_same_reading(std::span<const std::uint8_t> bytes, Verify verify = Verify::kFull) {
    const ExactBytes copy(bytes);
    fb::Verifier verifier(copy.data(), copy.size());
    ASSERT_TRUE(schema::VerifyAssetBuffer(verifier));
    const schema::Asset* theirs = schema::GetAsset(copy.data());
    Asset ours;
    ASSERT_EQ(open(copy.data(), copy.size(), verify, &ours), Status::kOk);
    EXPECT_EQ(ours.version_major(), theirs->header()->version_major());
    EXPECT_EQ(ours.version_minor(), theirs->header()->version_minor());
    EXPECT_EQ(ours.builder_revision(), theirs->header()->builder_revision());
    EXPECT_EQ(ours.checksum(), theirs->header()->checksum());
    EXPECT_EQ(ours.size(), theirs->header()->file_size());
    ASSERT_EQ(ours.shape_count(), theirs->shapes()->size());
    for (std::uint32_t i = 0; i < ours.shape_count(); ++i) {
        SCOPED_TRACE("part " + std::to_string(i));
        ShapeView part;
        ASSERT_EQ(ours.shape(i, &part), Status::kOk);
        expect_part(part, theirs->shapes()->Get(i));
    }
    ShapeView none;
    EXPECT_EQ(ours.shape(ours.shape_count(), &none), Status::kInvalidArgument);
    EXPECT_EQ(ours.shape(0, nullptr), Status::kInvalidArgument);
}

TEST(Reading, BakedAssetsReadTheSame) {
    for (const NamedTriangles& m : ten_small_meshes(150)) {
        SCOPED_TRACE(m.name);
        expect_same_reading(bake_bytes(m.mesh, {}, Eigen::Vector3d(1e6, -0.125, 3)));
    }
}

TEST(Reading, IndicesAreNarrowUpTo65536VerticesAndWideBeyond) {
    for (const std::uint32_t triangles : {21845u, 21846u}) {  // three vertices each: 65535 and 65538
        const std::vector<std::uint8_t> bytes = bake_bytes(random_soup(64, triangles));
        const schema::Shape* part = schema::GetAsset(bytes.data())->shapes()->Get(0);
        EXPECT_EQ(part->indices16() != nullptr, triangles == 21845u);
        EXPECT_EQ(part->indices32() != nullptr, triangles != 21845u);
        expect_same_reading(bytes);
    }
}

TEST(Reading, AssetsOfSeveralPartsWithBothTreesReadTheSame) {
    Progress progress;
    AssetContents contents;
    contents.provenance.source_name = "several";
    const std::vector<NamedTriangles> meshes = ten_small_meshes(60);
    for (std::size_t i = 0; i < 4; ++i) {
        BakedShape& part = contents.shapes.emplace_back();
        part.name = i == 2 ? "" : meshes[i].name;
        part.closed = i % 2 == 0;
        part.origin = Eigen::Vector3d(double(i), 0, -double(i));
        part.mesh = meshes[i].mesh;
        if (i != 1) part.trees.push_back(built_tree(build_aabb_tree(part.mesh, {}, progress)));
        if (i != 0) part.trees.push_back(built_tree(build_box_tree(part.mesh, {}, progress)));
    }
    expect_same_reading(write_asset(contents).value());
}

TEST(Reading, SphereTreesAndDagsReadTheSame) {
    const std::vector<NamedTriangles> meshes = ten_small_meshes(60);
    for (std::uint32_t i = 0; i < 8; ++i) {
        SCOPED_TRACE(i);
        HandSphereOptions options;
        options.levels = 1 + i % 4;
        options.dag = i & 1u;
        options.closed = i & 2u;
        options.shells = i & 4u;
        options.share = i == 4 || i == 6;  // of one level, so that nothing can be shared, and of three
        options.aabb = i > 3;
        options.gap = 0.01F * static_cast<float>(i % 3);
        if (i % 4 == 3) options.caps = {meshes[i].mesh.triangles[0]};
        options.filling = 0.25F * static_cast<float>(i % 2);
        expect_same_reading(sphere_asset(meshes[i].mesh, options));
    }
}

/// An asset made by hand with flatc's builder.
class HandMade {
  public:
    /// What the part's table holds beyond the mesh and the tree.
    struct Extras {
        bool name = true, origin = true, source = true, order = true, future = false;
        bool wide = false;
        std::uint16_t major = kFormatMajor, minor = kFormatMinor;
    };

    explicit HandMade(const Extras& extras) {
        const float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        std::vector<schema::Vec3> positions;
        for (const auto& c : corners) positions.emplace_back(c[0], c[1], c[2]);
        const std::vector<std::uint16_t> indices = {0, 2, 1, 0, 1, 3};
        const std::vector<std::uint32_t> wide(indices.begin(), indices.end());
        const schema::Box bounds(schema::Vec3(0, 0, 0), schema::Vec3(1, 1, 1));

        const auto tree = write_tree(bounds, extras.order);
        const auto position_vector = builder_.CreateVectorOfStructs(positions);
        const auto index_vector =
            extras.wide ? builder_.CreateVector(wide).o : builder_.CreateVector(indices).o;
        const auto source = builder_.CreateVector(std::vector<std::uint32_t>{7, 3});
        const auto name = builder_.CreateString("made by hand");
        const auto future = builder_.CreateString("a field that this runtime does not know");
        const schema::Vec3d origin(1, 2, 3);
        const auto start = builder_.StartTable();
        if (extras.future) builder_.AddOffset(slot16(40), future);
        if (extras.name) builder_.AddOffset(schema::Shape::VT_NAME, name);
        if (extras.origin) builder_.AddStruct(schema::Shape::VT_ORIGIN, &origin);
        builder_.AddStruct(schema::Shape::VT_BOUNDS, &bounds);
        builder_.AddOffset(schema::Shape::VT_POSITIONS, position_vector);
        builder_.AddOffset(extras.wide ? schema::Shape::VT_INDICES32 : schema::Shape::VT_INDICES16,
                           fb::Offset<void>(index_vector));
        if (extras.source) builder_.AddOffset(schema::Shape::VT_SOURCE_TRIANGLES, source);
        builder_.AddOffset(schema::Shape::VT_AABB_TREE, tree);
        const fb::Offset<schema::Shape> part(builder_.EndTable(start));
        const auto parts = builder_.CreateVector(&part, 1);
        const schema::Header header(extras.major, extras.minor, 77, 0, 0);
        const auto root = builder_.StartTable();
        if (extras.future) builder_.AddElement<std::uint64_t>(slot16(30), 0x123456789abcdefu, 0);
        builder_.AddStruct(schema::Asset::VT_HEADER, &header);
        builder_.AddOffset(schema::Asset::VT_SHAPES, parts);
        schema::FinishAssetBuffer(builder_, fb::Offset<schema::Asset>(builder_.EndTable(root)));
    }

    /// With size and checksum filled in.
    std::vector<std::uint8_t> bytes() const {
        std::vector<std::uint8_t> bytes(builder_.GetBufferPointer(),
                                        builder_.GetBufferPointer() + builder_.GetSize());
        const auto* header = reinterpret_cast<const std::uint8_t*>(schema::GetAsset(bytes.data())->header());
        const std::uint64_t size = bytes.size();
        std::memcpy(bytes.data() + (header - bytes.data()) + 8, &size, 8);
        repair_checksum(bytes);
        return bytes;
    }

  private:
    static constexpr std::uint16_t slot16(std::uint16_t id) { return static_cast<std::uint16_t>(4 + 2 * id); }

    fb::Offset<schema::AabbTree> write_tree(const schema::Box& bounds, bool with_order) {
        AabbNode node{};
        for (unsigned k = 0; k < 3; ++k) node.hi[4 * k] = 255;
        node.normal[8] = 127;
        node.slab_hi[0] = node.radius[0] = 255;
        node.kind[0] = 2;
        node.first_child = 1;
        builder_.ForceVectorAlignment(1, sizeof(AabbNode), 16);
        const auto nodes =
            builder_.CreateVectorOfStructs(reinterpret_cast<const schema::AabbNode*>(&node), 1);
        const auto order = builder_.CreateVector(std::vector<std::uint32_t>{1, 0});
        schema::AabbTreeBuilder tree(builder_);
        tree.add_bounds(&bounds);
        tree.add_depth(1);
        tree.add_nodes(nodes);
        if (with_order) tree.add_triangle_order(order);
        return tree.Finish();
    }

    fb::FlatBufferBuilder builder_;
};

TEST(Reading, EveryOptionalFieldMayBeThereOrNot) {
    for (unsigned mask = 0; mask < 32; ++mask) {
        SCOPED_TRACE(mask);
        HandMade::Extras extras;
        extras.name = mask & 1u;
        extras.origin = mask & 2u;
        extras.source = mask & 4u;
        extras.order = mask & 8u;
        extras.wide = mask & 16u;
        expect_same_reading(HandMade(extras).bytes());
    }
}

TEST(Reading, AFileOfALaterMinorVersionWithUnknownFieldsIsRead) {
    HandMade::Extras extras;
    extras.future = true;
    extras.minor = kFormatMinor + 5;
    expect_same_reading(HandMade(extras).bytes());
}

TEST(Reading, AnotherMajorVersionIsRefused) {
    HandMade::Extras extras;
    for (const std::uint16_t major : {0, kFormatMajor + 1, 0xffff}) {
        extras.major = major;
        const ExactBytes copy(HandMade(extras).bytes());
        Asset asset;
        for (const Verify verify : {Verify::kNone, Verify::kChecksum, Verify::kFull})
            EXPECT_EQ(open(copy.data(), copy.size(), verify, &asset), Status::kUnsupportedVersion);
    }
}

TEST(Reading, ADifferentIdentifierIsRefused) {
    std::vector<std::uint8_t> bytes = HandMade(HandMade::Extras()).bytes();
    bytes[7] = 'X';
    const ExactBytes copy(bytes);
    Asset asset;
    EXPECT_EQ(open(copy.data(), copy.size(), Verify::kNone, &asset), Status::kWrongIdentifier);
}

}  // namespace
}  // namespace espalier::testing
