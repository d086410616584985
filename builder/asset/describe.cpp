// SPDX-License-Identifier: GPL-3.0-or-later
// The runtime's views give meshes and hierarchies; flatc's reader gives what the runtime has no use for.
#include "builder/asset/describe.h"

#include <algorithm>
#include <map>

#include "builder/asset/asset_body.h"
#include "builder/body/utf8.h"
#include "builder/hierarchy/stored_mesh.h"
#include "builder/import/provenance.h"
#include "builder/medial/medial_ply.h"
#include "espalier_generated.h"

namespace espalier {
namespace {

std::string text_of(const flatbuffers::String* string) {
    return string ? string->str() : std::string();
}

void describe_provenance(const schema::Provenance* provenance, AssetDescription& asset) {
    if (!provenance) return;
    asset.source_name = text_of(provenance->source_name());
    asset.unit = text_of(provenance->unit());
    asset.scale = provenance->scale();
    std::array<std::uint8_t, 32> digest;
    if (const auto* stored = provenance->source_sha256(); stored && stored->size() == digest.size()) {
        std::copy(stored->begin(), stored->end(), digest.begin());
        asset.source_sha256 = to_hex(digest);
    }
    if (const auto* options = provenance->options())
        for (const schema::Option* option : *options)
            asset.options.emplace_back(option->name()->str(), option->value()->str());
}

void add_tree(TreeDescription tree, ShapeDescription& shape) {
    for (const SectionDescription& section : tree.sections) {
        tree.bytes += section.bytes;
        shape.sections.push_back(section);
    }
    tree.bytes_per_triangle = static_cast<double>(tree.bytes) / static_cast<double>(shape.triangles);
    shape.trees.push_back(std::move(tree));
}

ShapeDescription describe_shape(const ShapeView& view, std::span<const Hierarchy* const> rows) {
    ShapeDescription shape;
    shape.name = as_utf8_name(view.name);
    std::copy_n(view.origin, 3, shape.origin.begin());
    std::copy_n(view.lo, 3, shape.lo.begin());
    std::copy_n(view.hi, 3, shape.hi.begin());
    shape.closed = view.closed;
    shape.vertices = view.mesh.vertex_count;
    shape.triangles = view.mesh.triangle_count;
    shape.index_bits = view.mesh.indices16 ? 16 : 32;
    shape.sections.push_back({"positions", shape.vertices * 12});
    shape.sections.push_back({"indices", shape.triangles * 3 * (shape.index_bits / 8)});
    if (view.mesh.source_triangles) shape.sections.push_back({"source triangles", shape.triangles * 4});
    for (const Hierarchy* row : rows)
        if (row->present(view)) add_tree(row->describe(view), shape);
    return shape;
}

std::vector<PartDescription> describe_parts(const Asset& asset) {
    std::vector<PartDescription> parts(asset.part_count());
    for (std::uint32_t i = 0; i < asset.part_count(); ++i) {
        PartDescription& part = parts[i];
        part.name = shown_part_name(asset, i);
        static_cast<void>(asset.part_node(i, &part.node));  // cannot fail: the file was verified
        if (part.node.joint_name != kNoIndex)
            part.joint_name = as_utf8_name(asset.name(part.node.joint_name));
        if (part.node.parent != kNoIndex) part.depth = parts[part.node.parent].depth + 1;
    }
    return parts;
}

PairDescription describe_pairs(const Asset& asset) {
    PairDescription described;
    described.pairs.assign(asset.pairs(), asset.pairs() + asset.pair_count());
    std::map<PairReason, std::uint64_t> counts;
    for (const PartPair& pair : described.pairs) {
        ++counts[pair.reason];
        described.proved += pair.proved;
    }
    described.counts.assign(counts.begin(), counts.end());
    return described;
}

}  // namespace

Result<Success> verify_provenance(const Asset& asset) {
    flatbuffers::Verifier verifier(asset.data(), asset.size());
    if (!schema::VerifyAssetBuffer(verifier))
        return Error{ErrorKind::kInvalidInput, "corrupt file structure"};
    return Success{};
}

Result<AssetDescription> describe_asset(const OpenedAsset& opened, HierarchyRows list) {
    const Asset& view = opened.asset;
    if (const Result<Success> verified = verify_provenance(view); !verified) return verified.error();
    AssetDescription asset;
    asset.version_major = view.version_major();
    asset.version_minor = view.version_minor();
    asset.builder_revision = view.builder_revision();
    asset.checksum = view.checksum();
    asset.file_bytes = view.size();
    describe_provenance(schema::GetAsset(view.data())->provenance(), asset);
    asset.other_bytes = asset.file_bytes;
    const std::vector<const Hierarchy*> rows = ranked(list, &HierarchyRanks::shown);
    for (const ShapeView& shape : opened.shapes) {
        asset.shapes.push_back(describe_shape(shape, rows));
        for (const SectionDescription& section : asset.shapes.back().sections)
            asset.other_bytes -= section.bytes;
    }
    asset.has_parts = view.has_parts();
    asset.parts = describe_parts(view);
    for (std::uint32_t i = 0; i < asset.parts.size(); ++i)
        if (const std::uint32_t shape = asset.parts[i].node.shape; shape != kNoIndex)
            asset.shapes[shape].parts.push_back(i);
    asset.configuration = configuration_names(view);
    asset.pairs = describe_pairs(view);
    return asset;
}

Result<std::string> medial_ply_of(const ShapeView& shape, Progress& progress) {
    Result<MedialSet> set = compute_medial_set(stored_mesh(shape), {}, progress);
    if (!set) return set.error();
    for (MedialBall& ball : set.value().balls)
        ball.center += Eigen::Vector3d(shape.origin[0], shape.origin[1], shape.origin[2]);
    return medial_ply(set.value());
}

}  // namespace espalier
